import { contentError } from './content-error.ts'
import type { FileFormat, FileString } from './format.ts'

/** The language of a base text; `default` is not a language tag (BCP 47). */
const tagOf = (language: string) => (language === 'default' ? 'en' : language)

const STALE_NOTE = 'The base text has changed since this translation.'
const RESOURCE = 'strings'

/** The reader drops a space before an element as indentation, unless this noncharacter is between. */
const KEPT = '\ufdd0'
const SPACE_BEFORE = /(\s)(?=<(?:ph|x|\/source|\/target)\b)/g

/** A form in which placeholders are elements, with the attribute that shows them to a translator. */
interface Version {
  equivalent: 'equiv' | 'equiv-text'
  write: (document: XliffDocument) => Promise<string>
  parse: (xml: string) => Promise<XliffDocument>
}

const VERSION_1_2: Version = {
  equivalent: 'equiv-text',
  write: async (document) => (await import('xliff/jsToXliff12')).default(document, { indent: '' }),
  parse: async (xml) => (await import('xliff/xliff12ToJs')).default(xml),
}

const VERSION_2_0: Version = {
  equivalent: 'equiv',
  write: async (document) => (await import('xliff/js2xliff')).default(document, { indent: '' }),
  parse: async (xml) => (await import('xliff/xliff2js')).default(xml),
}

/** XLIFF 1.2, for most translation programs. A stale translation is not approved. */
export const XLIFF_1_2 = createFormat(VERSION_1_2)

/** XLIFF 2.0. */
export const XLIFF_2_0 = createFormat(VERSION_2_0)

function createFormat({ equivalent, write, parse }: Version): FileFormat {
  const unitOf = ({ note, base, text, isStale }: FileString): XliffUnit => ({
    source: withElements(base, equivalent),
    target: withElements(text, equivalent),
    note: isStale ? `${note}. ${STALE_NOTE}` : note,
    ...(isStale && equivalent === 'equiv-text' ? { additionalAttributes: { approved: 'no' } } : {}),
  })
  return {
    extension: 'xlf',

    write: (strings, language) =>
      write({
        sourceLanguage: 'en',
        targetLanguage: tagOf(language),
        resources: {
          [RESOURCE]: Object.fromEntries(strings.map((each) => [each.id, unitOf(each)])),
        },
      }),

    parse: async (content, language) => {
      // Entities of its own have no use in a file of strings, and make a small file large.
      if (/<!(DOCTYPE|ENTITY)/i.test(content)) throw contentError('must not have a DOCTYPE')
      const document = await readDocument(parse, content.replace(SPACE_BEFORE, `$1${KEPT}`))
      const target = document.targetLanguage?.toLowerCase().split('-')[0]
      if (target !== undefined && target !== tagOf(language)) {
        throw contentError(`must be in ${tagOf(language)}; its target language is ${target}`)
      }
      const texts = new Map<string, string>()
      for (const units of Object.values(document.resources)) addTexts(units, texts)
      return texts
    },
  }
}

async function readDocument(parse: Version['parse'], content: string): Promise<XliffDocument> {
  const document: unknown = await parse(content).catch((error: unknown) => error)
  const isDocument = typeof document === 'object' && document !== null && 'resources' in document
  if (!isDocument) throw contentError('must be an XLIFF file of the format that is named')
  return document as XliffDocument
}

function addTexts(units: Record<string, XliffUnit>, texts: Map<string, string>): void {
  for (const [id, { target, groupUnits }] of Object.entries(units)) {
    if (groupUnits !== undefined) addTexts(groupUnits, texts)
    const text = target === undefined ? '' : withBraces(target).replaceAll(KEPT, '')
    // What is not translated yet has no target or an empty one, which must not hide the string.
    if (text !== '') texts.set(id, text)
  }
}

/** Returns a text with an element for each `{placeholder}`, whose id is unique in the text. */
function withElements(text: string, equivalent: Version['equivalent']): XliffText {
  const seen = new Map<string, number>()
  const parts = text.split(/\{(\w+)\}/).map((part, at) => {
    // The writer takes `&amp;` in a text for an entity.
    if (at % 2 === 0) return part.replace(/&(?=amp;)/g, '&amp;')
    const count = (seen.get(part) ?? 0) + 1
    seen.set(part, count)
    const id = count === 1 ? part : `${part}-${count}`
    return { Standalone: { id, [equivalent]: `{${part}}` } }
  })
  const whole = parts.filter((part) => part !== '')
  return whole.length === 1 && typeof whole[0] === 'string' ? whole[0] : whole
}

function withBraces(target: XliffText): string {
  if (typeof target === 'string') return target
  return [target]
    .flat()
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.Standalone === undefined)
        throw contentError('must have no elements but placeholders')
      const { id, equiv, 'equiv-text': text } = part.Standalone
      const shown = equiv ?? text ?? ''
      return /^\{\w+\}$/.test(shown) ? shown : `{${id.replace(/-\d+$/, '')}}`
    })
    .join('')
}
