import { z } from 'zod'
import { actorSession } from './actor-session.ts'
import { instant, recordText, recordTextOrNull, relation } from './common.ts'

/** What identifies a string of the merchant, in records. */
export const stringScope = {
  id: recordText('String id: its set, a dot, and its name.', 'checkout.pay'),
  language: recordText('Language: two letters, or `default` for the base strings.', 'fr'),
  branding: recordTextOrNull('Key of the branding; null for the instance itself.', 'kids'),
}

export const stringOverride = z
  .strictObject({
    ...stringScope,
    text: recordText('The text that the merchant has written.', 'Donner {amount}'),
    shipped_changed: z
      .boolean()
      .describe(
        'Whether the built-in text in this language is another one since the last change, as an upgrade can make it.',
      ),
    created: instant.describe('When the text was first replaced.'),
    updated: instant.describe('When the text last changed.'),
    updated_session: relation(actorSession).describe(
      'Who made the last change, and from where; null for changes before sessions were noted. Expandable.',
    ),
  })
  .meta({
    id: 'StringOverride',
    description: 'A text that the merchant has replaced in one language and branding.',
  })

export type StringOverrideRecord = z.output<typeof stringOverride>
