import { z } from 'zod'
import { WORDING_LENGTH_MAX } from '../rules/wording-problem.ts'
import { STALE_REASONS } from '../rules/stale.ts'
import { recordText, text } from './common.ts'

const members = {
  text: text(WORDING_LENGTH_MAX).meta({
    description:
      'The text. An empty text hides the sentence; the page fills in `{placeholders}`. The inherited text removes the override.',
    example: 'Donate {amount}',
  }),
  language: text(64).nullish().meta({
    description: 'Language: two letters, or `default` for the base strings; `default` if omitted.',
    example: 'fr',
  }),
  branding: text(64).nullish().meta({
    description: 'Key of the branding to write for. Left out, for the instance itself.',
    example: 'kids',
  }),
}

const change = z.strictObject({
  id: text(255).meta({
    description: 'String id: its set, a dot, and its name.',
    example: 'checkout.pay',
  }),
  ...members,
})

export type StringChange = z.output<typeof change>

export const updateStringRequest = z
  .strictObject({
    string: z
      .strictObject({
        id: text(255).optional().meta({
          description: 'String id. It may be omitted, and must otherwise be the one in the path.',
          example: 'checkout.pay',
        }),
        ...members,
      })
      .describe('The text.'),
  })
  .meta({ id: 'UpdateString', description: 'Body of a request that replaces one string.' })

/** Many times the number of strings: if an id is repeated, the last one applies. */
const ITEMS_MAX = 20_000

export const updateStringsRequest = z
  .strictObject({
    strings: z
      .array(change)
      .max(ITEMS_MAX)
      .describe(
        'The overrides, all in one language and branding. If an id occurs twice, the last one applies.',
      ),
  })
  .meta({ id: 'UpdateStrings', description: 'Body of a request that replaces several strings.' })

export const stringRecord = z
  .strictObject({
    id: recordText('String id: its set, a dot, and its name.', 'checkout.pay'),
    text: recordText('The resolved text in this language and branding.', 'Donate {amount}'),
    language: recordText('Language of the record: two letters, or `default`.', 'fr'),
    branding: z.string().optional().meta({
      description: 'Key of the branding; omitted for the instance itself.',
      example: 'kids',
    }),
    overriding: z.string().optional().meta({
      description:
        'The string that the override replaces. Present only if the string is overridden in this language and branding.',
      example: 'Pay {amount}',
    }),
    stale: z
      .boolean()
      .optional()
      .describe(
        'True if the text may no longer say what it should. See `stale_because`. Absent once it was found right.',
      ),
    stale_because: z
      .enum(STALE_REASONS)
      .optional()
      .describe(
        '`BASE_CHANGED`: a built-in translation whose base string is overridden. `OLDER`: an overridden translation that is older than the override of its base string. `SHIPPED_CHANGED`: the built-in text that the override replaces was changed by an upgrade.',
      ),
    stale_hash: z.string().optional().meta({
      description:
        'What `PUT /string_acks` takes to note that the text is still right. Changes with the text and with what it depends on.',
      example: 'Zx3kq0mB1nV7c2LdW9aQeT',
    }),
  })
  .meta({
    id: 'String',
    description: 'One sentence of the payment page, in one language and branding.',
  })

export type StringRecord = z.output<typeof stringRecord>

export const stringResponse = z.strictObject({ string: stringRecord })
export const stringsResponse = z.strictObject({
  strings: z
    .array(stringRecord)
    .describe('The strings as they now read, in the order of the request.'),
})

export const stringsPage = z.strictObject({
  strings: z
    .array(stringRecord)
    .describe('The strings of this page of the list, in the order of their ids.'),
  meta: z
    .strictObject({
      limit: z.int().describe('The limit of the request.'),
      offset: z.int().describe('How many strings were skipped.'),
      total: z.int().describe('How many strings match in all.'),
      version: z
        .int()
        .describe('Version of the strings, which grows by one with each change of any of them.'),
      languages: z
        .array(z.string())
        .meta({ description: 'Languages that payers are offered.', example: ['default', 'fr'] }),
      sets: z
        .array(z.string())
        .meta({ description: 'Sets that strings belong to.', example: ['checkout', 'errors'] }),
    })
    .describe('The position of this page in the list, and the available languages and sets.'),
})
