import { z } from 'zod'
import { text } from './common.ts'

/** Localised wording (specification: Strings; contract section 14). */

const members = {
  text: text(20_000),
  language: text(64).nullish().meta({ example: 'fr', description: 'Omitted: default.' }),
  branding: text(64).nullish(),
}

const change = z.strictObject({ id: text(255), ...members })

export type StringChange = z.output<typeof change>

export const updateString = z
  .strictObject({ string: z.strictObject({ id: text(255).optional(), ...members }) })
  .meta({ id: 'UpdateString' })

/** Many times as many as there are: of an id that stands twice the last one counts. */
const ITEMS_MAX = 20_000

export const updateStrings = z
  .strictObject({ strings: z.array(change).max(ITEMS_MAX) })
  .meta({ id: 'UpdateStrings' })

export const stringRecord = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    language: z.string(),
    branding: z.string().optional(),
    overriding: z.string().optional().meta({ description: 'What the override replaces.' }),
    stale: z.boolean().optional().meta({
      description: 'A shipped translation whose base wording the merchant has changed.',
    }),
  })
  .meta({ id: 'String' })

export type StringRecord = z.output<typeof stringRecord>

export const stringAnswer = z.strictObject({ string: stringRecord })
export const stringsAnswer = z.strictObject({ strings: z.array(stringRecord) })

export const stringsPage = z.strictObject({
  strings: z.array(stringRecord),
  meta: z.strictObject({
    limit: z.int(),
    offset: z.int(),
    total: z.int(),
    languages: z.array(z.string()),
    sets: z.array(z.string()),
  }),
})
