import { z } from 'zod'
import { instant, recordText, recordTextOrNull } from './common.ts'

export const SEARCH_KINDS = [
  'payment',
  'payment_link',
  'deep_link',
  'account',
  'charge',
  'contract',
  'refund',
] as const

export type SearchKind = (typeof SEARCH_KINDS)[number]

export const searchResult = z
  .strictObject({
    kind: z.enum(SEARCH_KINDS).meta({ description: 'What it is.' }),
    id: recordText('Id of the record.', 'pay_1893499200000_8i9j0k1l2m3n4o5p'),
    title: recordText(
      'What names it best: its name, key, description or reference.',
      'Tea for two',
    ),
    detail: recordTextOrNull(
      'What else tells it apart: the card of a payment, the email of a customer, the key of a link.',
      'visa 4242',
    ),
    status: recordText('Its status, as its own GET returns it.', 'SUCCESS'),
    amount: recordTextOrNull('Its amount in major units; null if it has none.', '24.00'),
    currency: recordTextOrNull('Its currency; null if it has none.', 'EUR'),
    created: instant.meta({ description: 'When it was created.' }),
    matched: recordText('The member in which the text was found.', 'last4'),
  })
  .meta({ id: 'SearchResult', description: 'A record that a search found.' })

export type SearchResult = z.output<typeof searchResult>

export const searchResponse = z.strictObject({
  results: z.array(searchResult).meta({
    description:
      'The record of an exact id first, then exact words, then beginnings; newest first.',
  }),
})
