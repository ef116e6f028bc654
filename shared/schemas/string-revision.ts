import { z } from 'zod'
import { WORDING_LENGTH_MAX } from '../rules/wording-problem.ts'
import { actorSession } from './actor-session.ts'
import { instant, recordText, recordTextOrNull, relation, text } from './common.ts'
import { stringScope } from './string-override.ts'

/** The maximum number of changes of a revision. */
export const CHANGES_MAX = 5000

const note = text(500).nullish().meta({
  description: 'Why the texts change, for the history.',
  example: 'Donations instead of payments',
})

const change = z
  .strictObject({
    id: text(255).meta({
      description: 'String id: its set, a dot, and its name.',
      example: 'checkout.pay',
    }),
    language: text(64).nullish().meta({
      description:
        'Language: two letters, or `default` for the base strings; `default` if omitted.',
      example: 'fr',
    }),
    branding: text(64).nullish().meta({
      description: 'Key of the branding to write for. Left out, for the instance itself.',
      example: 'kids',
    }),
    text: text(WORDING_LENGTH_MAX).nullable().meta({
      description:
        'The text; null removes the override, and so does the inherited text. An empty text hides the sentence.',
      example: 'Donner {amount}',
    }),
  })
  .meta({ description: 'The new text of one string.' })

export type RevisionChange = z.output<typeof change>

export const createStringRevisionRequest = z
  .strictObject({
    revision: z
      .strictObject({
        base_version: z.int().min(1).meta({
          description:
            'Version of the strings that the caller has seen: `meta.version` of `GET /strings`, or `version` of an earlier answer.',
          example: 12,
        }),
        note,
        changes: z
          .array(change)
          .min(1)
          .max(CHANGES_MAX)
          .describe('The changes, of any languages and brandings; each string once.'),
      })
      .describe('The revision.'),
  })
  .meta({
    id: 'CreateStringRevision',
    description: 'Body of a request that changes strings all at once.',
  })

export const revertStringRevisionRequest = z
  .strictObject({
    revision: z
      .strictObject({ note })
      .optional()
      .describe('The revision that takes back the other.'),
  })
  .meta({
    id: 'RevertStringRevision',
    description: 'Body of a request that takes back a revision.',
  })

const stringChange = z
  .strictObject({
    ...stringScope,
    before: recordTextOrNull('The text before; null if there was no override.', 'Give {amount}'),
    text: recordTextOrNull('The text after; null if the override was removed.', 'Donner {amount}'),
  })
  .meta({ description: 'What a revision changed in one string.' })

export const stringRevision = z
  .strictObject({
    id: recordText('Revision id; begins with `sr_`.', 'sr_1893499200000_9j0k1l2m3n4o5p6q'),
    note: recordTextOrNull('Why the texts changed, as the caller wrote it.'),
    reverts: recordTextOrNull('Id of the revision that this one takes back; null for others.'),
    version: z.int().min(1).describe('Version of the strings after it.'),
    change_count: z.int().min(1).describe('How many strings it changed.'),
    changes: z
      .array(stringChange)
      .optional()
      .describe(
        'The changes, by branding, language and id. Present only when it is read by its id.',
      ),
    created: instant.describe('When the strings changed.'),
    created_session: relation(actorSession).describe(
      'Who changed them, and from where. Expandable.',
    ),
  })
  .meta({
    id: 'StringRevision',
    description: 'Changes of strings that were saved by one request.',
  })

export type StringRevisionRecord = z.output<typeof stringRevision>

const version = z.int().min(1).describe('Version of the strings now.')
const saved = stringRevision
  .nullable()
  .describe('The revision; null if every string already reads as requested.')

export const stringRevisionResponse = z.strictObject({ string_revision: saved, version })

export const revertResponse = z.strictObject({
  string_revision: saved,
  version,
  skipped: z
    .array(
      z
        .strictObject({
          ...stringScope,
          text: recordTextOrNull('The text now; null if there is no override.'),
          because: z
            .enum(['CHANGED', 'UNAVAILABLE'])
            .describe(
              '`CHANGED`: the string no longer reads as the revision wrote it. `UNAVAILABLE`: its branding, or the string itself, no longer exists, or the rules refuse the text of before.',
            ),
        })
        .meta({ description: 'A string that keeps its text.' }),
    )
    .describe('Strings that were not taken back.'),
})

const conflict = z
  .strictObject({
    ...stringScope,
    text: recordTextOrNull('The text now; null if there is no override.'),
    revision: recordText('Id of the last revision that changed it.'),
  })
  .meta({ description: 'A string that was changed since `base_version`.' })

export type StringConflict = z.output<typeof conflict>

/** 409 of a revision. */
export const stringConflictError = z
  .strictObject({
    error: z
      .strictObject({
        type: recordText('Error type, for programs.', 'CONFLICT'),
        message: recordText('Message for developers.'),
        version: version.optional(),
        conflicts: z
          .array(conflict)
          .optional()
          .describe(
            'The strings of the request that were changed since `base_version`. Absent if another request is still running; retry it after the seconds in Retry-After.',
          ),
      })
      .describe('The error.'),
  })
  .meta({
    id: 'StringConflictError',
    description: 'The request changes strings that others have changed since.',
  })
