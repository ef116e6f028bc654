import { z } from 'zod'
import { recordTextOrNull, text, timeZone } from './common.ts'

/** A list of the API, and a column of the console: `payment_links`, `amount`. */
const name = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z_]*$/, { error: 'must be lower-case letters and underscores' })

const theme = z.enum(['system', 'light', 'dark'])
const density = z.enum(['normal', 'compact'])
const columnIds = z.array(name).max(30)

export const listView = z
  .strictObject({
    name: text(60)
      .min(1)
      .meta({ description: 'What the view is called.', example: 'Large payments' }),
    list: name.meta({ description: 'The list that it is a view of.', example: 'payments' }),
    query: text(1000).meta({
      description:
        'The query of the list in the console: its tab, search, criteria (`where`), `order` and columns.',
      example: 'where=amount%3E%3D1000&order=amount%3Adesc',
    }),
  })
  .meta({ id: 'ListView', description: 'A list of the console with filters, order and columns.' })

const MEMBERS = {
  theme: theme.describe('Colors: those of the system, light or dark.'),
  density: density.describe('Height of rows.'),
  timezone: recordTextOrNull(
    'IANA time zone of the times that the console shows; null for that of the instance.',
    'Europe/Paris',
  ),
  columns: z.record(name, columnIds).meta({
    description: 'Columns by list. A list that is not named has its standard columns.',
    example: { payments: ['amount', 'status', 'when'] },
  }),
  views: z.array(listView).max(50).describe('Saved views, in their order.'),
}

export const preferences = z
  .strictObject(MEMBERS)
  .meta({ id: 'Preferences', description: 'How a user has set up the console.' })

export type Preferences = z.output<typeof preferences>
export type ListView = Preferences['views'][number]

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'normal',
  timezone: null,
  columns: {},
  views: [],
}

export const preferencesResponse = z.strictObject({ preferences })

export const updatePreferencesRequest = z.strictObject({
  preferences: z
    .strictObject({
      ...MEMBERS,
      timezone: timeZone.nullable().describe('IANA time zone; null for that of the instance.'),
    })
    .partial()
    .describe('The members to change.'),
})

export type PreferencesChange = z.output<typeof updatePreferencesRequest>['preferences']
