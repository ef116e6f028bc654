import { z } from 'zod'
import { recordText, recordTextOrNull, text } from './common.ts'

/** The maximum length of an imported file, in UTF-16 code units. */
const FILE_LENGTH_MAX = 5_000_000

/** The names of the formats. */
export const STRING_FILE_FORMATS = ['JSON', 'CSV', 'XLIFF_1_2', 'XLIFF_2_0'] as const

/** The name of a format of files with strings. */
export type StringFileFormat = (typeof STRING_FILE_FORMATS)[number]

const format = z
  .enum(STRING_FILE_FORMATS, { error: `must be ${STRING_FILE_FORMATS.join(', ')}` })
  .describe(
    '`JSON`: an object with a text, or null, for each string id. `CSV`: a table with the columns ' +
      '`id`, `base` and the language. `XLIFF_1_2`, `XLIFF_2_0`: the files of translation programs, ' +
      'with the base texts as sources. Empty cells and targets count as not translated and are skipped.',
  )

const language = recordText('Language: two letters, or `default` for the base strings.', 'fr')
const branding = recordTextOrNull('Key of the branding; null for the instance itself.', 'kids')

export const stringExportResponse = z.strictObject({
  string_export: z
    .strictObject({
      format,
      language,
      branding,
      file_name: recordText('A name for the file.', 'strings-fr.json'),
      content: recordText(
        'The content of the file.',
        '{\n  "checkout.pay": "Donner {amount}"\n}\n',
      ),
    })
    .meta({ description: 'A file with strings of one language and branding.' }),
})

export const createStringImportRequest = z
  .strictObject({
    string_import: z
      .strictObject({
        format,
        language: text(64).nullish().meta({
          description:
            'Language: two letters, or `default` for the base strings; `default` if omitted.',
          example: 'fr',
        }),
        branding: text(64).nullish().meta({
          description: 'Key of the branding. Left out, for the instance itself.',
        }),
        content: text(FILE_LENGTH_MAX).meta({
          description: 'The content of the file, with at most 5000 strings.',
          example: '{"checkout.pay": "Donner {amount}"}',
        }),
      })
      .describe('The file.'),
  })
  .meta({
    id: 'CreateStringImport',
    description: 'Body of a request that compares a file with the strings.',
  })

export const stringImportResponse = z.strictObject({
  string_import: z
    .strictObject({
      language,
      branding,
      version: z
        .int()
        .min(1)
        .describe('Version of the strings; the `base_version` of a revision with the changes.'),
      changes: z
        .array(
          z
            .strictObject({
              id: recordText('String id.', 'checkout.pay'),
              before: recordText('The text now.', 'Payer {amount}'),
              text: recordTextOrNull(
                'The text of the file; null if the override would be removed.',
                'Donner {amount}',
              ),
            })
            .meta({ description: 'What the file would change in one string.' }),
        )
        .describe('What the file would change, by id.'),
      unchanged: z.int().describe('How many strings of the file already read so.'),
      refused: z
        .array(
          z
            .strictObject({
              id: recordText('The id as the file has it.', 'checkout.nope'),
              because: recordText('The rule that the string breaks.', 'is not a known string'),
            })
            .meta({ description: 'A string of the file that cannot be saved.' }),
        )
        .describe('Strings of the file that the rules refuse.'),
    })
    .meta({ description: 'What a file would change. Nothing is written.' }),
})
