import type { StringFileFormat } from '../../../shared/schemas/string-transfer.ts'

/** Returns the format of a file by its name, and of XLIFF by the version that it states; undefined for others. */
export function formatOf(name: string, content: string): StringFileFormat | undefined {
  switch (/\.(\w+)$/.exec(name)?.[1]?.toLowerCase()) {
    case 'json':
      return 'JSON'
    case 'csv':
      return 'CSV'
    case 'xlf':
    case 'xliff':
      return /<xliff\b[^>]*\bversion\s*=\s*["']2/.test(content) ? 'XLIFF_2_0' : 'XLIFF_1_2'
    default:
      return undefined
  }
}
