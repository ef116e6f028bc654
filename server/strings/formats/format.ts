/** One string of a file. */
export interface FileString {
  id: string
  /** What the string is for, in English. */
  note: string
  /** The base text that a translator reads, with the text of its `_other` form for a plural. */
  base: string
  text: string
  /** True when the text may no longer say what the base text says. */
  isStale: boolean
}

/** The texts of a file by id; null removes an override. */
export type ImportFile = ReadonlyMap<string, string | null>

/** How strings of one language become a file, and a file strings. */
export interface FileFormat {
  extension: string
  write(strings: readonly FileString[], language: string): Promise<string>
  /**
   * Returns the texts of a file in `language`. Throws a 400 ApiError that names
   * `string_import.content` for a file of another form or language.
   */
  parse(content: string, language: string): Promise<ImportFile>
}
