import { z } from 'zod'
import { recordText } from './common.ts'

/** What can need somebody's attention. */
export const ATTENTION_KINDS = [
  'unresolved',
  'manual_refunds',
  'open_disputes',
  'failed_charges',
  'links_ending',
  'failing_webhooks',
  'broken_processors',
  'expiring_keys',
  'owners_without_factor',
  'stale_strings',
] as const

export type AttentionKind = (typeof ATTENTION_KINDS)[number]

const DESCRIPTIONS: Readonly<Record<AttentionKind, string>> = {
  unresolved: 'Payments whose outcome has been unknown for more than a minute.',
  manual_refunds: 'Refunds that somebody has to make outside Checkstand, and to record.',
  open_disputes: 'Disputes and inquiries that have not been decided.',
  failed_charges: 'Active charges that were collected three times or more.',
  links_ending: 'Payment links that are not paid and expire within 48 hours.',
  failing_webhooks: 'Webhooks whose last delivery failed.',
  broken_processors: 'Processors that refuse their key.',
  expiring_keys: 'Secret keys that expire within a week.',
  owners_without_factor: 'Owners without a second factor.',
  stale_strings: 'Texts that may no longer say what they should, in all languages and brandings.',
}

const needed = (kind: AttentionKind) =>
  z
    .strictObject({
      count: z.int().meta({
        description: 'How many there are, at most 1000.',
        example: 2,
      }),
      list: recordText(
        'Path and query that list them, relative to the instance. For stale texts the list of one language and branding.',
        '/payments?criteria=status%3DUNRESOLVED',
      ).nullable(),
    })
    .nullable()
    .meta({
      description: `${DESCRIPTIONS[kind]} Null for a caller who may not list them.`,
    })

export const attentionResponse = z.strictObject({
  attention: z
    .strictObject(
      Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, needed(kind)])) as Record<
        AttentionKind,
        ReturnType<typeof needed>
      >,
    )
    .meta({ id: 'Attention', description: 'What needs attention in an instance.' }),
})

export type Attention = z.output<typeof attentionResponse>['attention']
