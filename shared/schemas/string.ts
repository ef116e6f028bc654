import { z } from 'zod'
import { text } from './common.ts'

/** Localised wording (specification: Strings; contract section 14). */

const members = {
  text: text(20_000).meta({
    description:
      'The wording. Empty hides the sentence; `{placeholders}` stand for what the page fills in. The wording that the string would have anyway removes the replacement.',
    example: 'Donate {amount}',
  }),
  language: text(64).nullish().meta({
    description:
      'Language to write: two letters, or `default` for the base wording, which is also meant where it is left out.',
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

export const updateString = z
  .strictObject({
    string: z
      .strictObject({
        id: text(255).optional().meta({
          description: 'String id. It may be left out, and must otherwise be the one in the path.',
          example: 'checkout.pay',
        }),
        ...members,
      })
      .meta({ description: 'The wording.' }),
  })
  .meta({ id: 'UpdateString', description: 'Body of a request that replaces one string.' })

/** Many times as many as there are: of an id that stands twice the last one counts. */
const ITEMS_MAX = 20_000

export const updateStrings = z
  .strictObject({
    strings: z.array(change).max(ITEMS_MAX).meta({
      description:
        'What to write, all in one language and branding. Of an id that occurs twice the last one counts.',
    }),
  })
  .meta({ id: 'UpdateStrings', description: 'Body of a request that replaces several strings.' })

export const stringRecord = z
  .strictObject({
    id: z
      .string()
      .meta({ description: 'String id: its set, a dot, and its name.', example: 'checkout.pay' }),
    text: z.string().meta({
      description: 'The wording as it now reads in this language and branding.',
      example: 'Donate {amount}',
    }),
    language: z
      .string()
      .meta({ description: 'Language of the record: two letters, or `default`.', example: 'fr' }),
    branding: z.string().optional().meta({
      description: 'Key of the branding; left out for the instance itself.',
      example: 'kids',
    }),
    overriding: z.string().optional().meta({
      description:
        'The wording that yours replaces. Present only where you have replaced it in this very language and branding.',
      example: 'Pay {amount}',
    }),
    stale: z.boolean().optional().meta({
      description:
        'True for a built-in translation whose base wording you have changed, so that the two may differ in meaning.',
    }),
  })
  .meta({
    id: 'String',
    description: 'One sentence of the payment page, in one language and branding.',
  })

export type StringRecord = z.output<typeof stringRecord>

export const stringAnswer = z.strictObject({ string: stringRecord })
export const stringsAnswer = z.strictObject({
  strings: z
    .array(stringRecord)
    .meta({ description: 'The strings as they now read, in the order of the request.' }),
})

export const stringsPage = z.strictObject({
  strings: z
    .array(stringRecord)
    .meta({ description: 'The strings of this page of the list, in the order of their ids.' }),
  meta: z
    .strictObject({
      limit: z.int().meta({ description: 'How many strings were asked for at most.' }),
      offset: z.int().meta({ description: 'How many strings were skipped.' }),
      total: z.int().meta({ description: 'How many strings match in all.' }),
      languages: z
        .array(z.string())
        .meta({ description: 'Languages that payers are offered.', example: ['default', 'fr'] }),
      sets: z
        .array(z.string())
        .meta({ description: 'Sets that strings belong to.', example: ['checkout', 'errors'] }),
    })
    .meta({ description: 'Which part of the list this is, and what can be asked for.' }),
})
