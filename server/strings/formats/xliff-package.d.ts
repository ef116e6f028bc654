interface XliffPlaceholder {
  /** Absent for an element of another kind. */
  Standalone?: { id: string; equiv?: string; 'equiv-text'?: string }
}

type XliffText = string | (string | XliffPlaceholder)[]

interface XliffUnit {
  source?: XliffText
  target?: XliffText
  note?: string
  groupUnits?: Record<string, XliffUnit>
  additionalAttributes?: Record<string, string>
}

interface XliffDocument {
  sourceLanguage?: string
  targetLanguage?: string
  resources: Record<string, Record<string, XliffUnit>>
}

declare module 'xliff/js2xliff' {
  export default function (document: XliffDocument, options: { indent: string }): Promise<string>
}
declare module 'xliff/jsToXliff12' {
  export default function (document: XliffDocument, options: { indent: string }): Promise<string>
}
declare module 'xliff/xliff2js' {
  export default function (xml: string): Promise<XliffDocument>
}
declare module 'xliff/xliff12ToJs' {
  export default function (xml: string): Promise<XliffDocument>
}
