import { contentError } from './content-error.ts'
import type { FileFormat } from './format.ts'

/** An object with a text, or null, for each id. */
export const JSON_FORMAT: FileFormat = {
  extension: 'json',

  write: async (strings) =>
    `${JSON.stringify(Object.fromEntries(strings.map(({ id, text }) => [id, text])), null, 2)}\n`,

  parse: async (content) => {
    const parsed = parseJson(content)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      throw contentError('must be a JSON object with a text for each string id')
    }
    return new Map(
      Object.entries(parsed).map(([id, text]: [string, unknown]) => {
        if (text !== null && typeof text !== 'string') {
          throw contentError(`must have a text or null for ${id.slice(0, 255)}`)
        }
        return [id, text]
      }),
    )
  },
}

function parseJson(content: string): unknown {
  try {
    // Editors of Windows begin a file with a byte order mark.
    return JSON.parse(content.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
