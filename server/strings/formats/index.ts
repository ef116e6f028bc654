import type { StringFileFormat } from '../../../shared/schemas/string-transfer.ts'
import { CSV_FORMAT } from './csv.ts'
import type { FileFormat } from './format.ts'
import { JSON_FORMAT } from './json.ts'
import { XLIFF_1_2, XLIFF_2_0 } from './xliff.ts'

/** The formats of files with strings, by the name that the API has for them. */
export const FILE_FORMATS: Record<StringFileFormat, FileFormat> = {
  JSON: JSON_FORMAT,
  CSV: CSV_FORMAT,
  XLIFF_1_2,
  XLIFF_2_0,
}
