import { z } from 'zod'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import {
  CHANGES_MAX,
  createStringRevisionRequest as createBody,
  revertResponse,
  revertStringRevisionRequest as revertBody,
  stringConflictError,
  stringRevision,
  stringRevisionResponse,
  type StringRevisionRecord,
} from '../../shared/schemas/string-revision.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { StringChangeRow, StringRevisionRow } from '../db/tables/strings.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotent } from '../http/idempotency.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { REVISION_FILTERS } from './filters.ts'
import { requireLanguages } from './language-limit.ts'
import { withStringLocks } from './locks.ts'
import { parseChanges, type Published, publishChanges } from './publish.ts'
import { brandingsOfChanges, revertRevision } from './revert.ts'
import { getRevision, listChanges, listRevisions } from './revision-store.ts'
import { STRINGS_BODY_BYTES_MAX } from './routes.ts'

const tag = 'string-revisions'

const create = {
  method: 'post',
  path: '/string_revisions',
  tag,
  summary: 'Change strings all at once',
  description:
    `Writes up to ${CHANGES_MAX} strings of any languages and brandings in one transaction, by the ` +
    'rules of `POST /strings`, and adds a revision to the history. Strings that others have changed ' +
    'since `base_version` to another text refuse the whole request with 409, which lists them; ' +
    'changes of other strings do not stand in the way.',
  body: createBody,
  bodyBytesMax: STRINGS_BODY_BYTES_MAX,
  bodyKeysMax: 40_000,
  responses: {
    200: stringRevisionResponse,
    409: stringConflictError,
    422: nestedError,
    ...commonErrors,
  },
} as const satisfies Route

const revert = {
  method: 'post',
  path: '/string_revisions/:id/revert',
  tag,
  operation: 'revert_string_revision',
  summary: 'Take back a revision',
  description:
    'Gives the strings that still read as the revision wrote them their texts of before, in one ' +
    'transaction and as a revision of its own. Strings that were changed since keep their texts and ' +
    'are listed.',
  params: z.object({ id: z.string() }),
  body: revertBody,
  responses: { 200: revertResponse, 409: nestedError, 422: nestedError, ...commonErrors },
} as const satisfies Route

/** `/string_revisions`: the history of the merchant's strings. */
export function stringRevisionRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body: { revision } }) => {
    const instance = c.get('instance')
    const changes = parseChanges(instance, revision.changes)
    requireLanguages(
      c,
      changes.map(({ language }) => language),
    )
    const by = await callerActorSession(deps, c)
    return locked(deps, c, changes, async (deps) => {
      const publication = { instanceId: instance.id, by, note: revision.note }
      return serializePublished(
        await publishChanges(deps, publication, changes, revision.base_version),
      )
    })
  })

  collectionRoutes(router, deps, {
    name: ['string_revision', 'string_revisions'],
    schema: stringRevision,
    description: {
      list: 'Lists the revisions that match the criteria, without their changes, newest first by default.',
      get: 'Returns a revision with its changes.',
    },
    filters: REVISION_FILTERS,
    list: listRevisions,
    get: async (instanceId, id) => {
      const revision = await getRevision(deps.db, instanceId, id)
      const changes = await listChanges(deps.db, revision)
      return { ...serializeRevision(revision), changes: changes.map(serializeChange) }
    },
    serialize: (rows) => rows.map(serializeRevision),
  })

  router.on(revert, async (c, { params: { id }, body }) => {
    const { id: instanceId } = c.get('instance')
    const revision = await getRevision(deps.db, instanceId, id)
    const changes = await listChanges(deps.db, revision)
    requireLanguages(
      c,
      changes.map(({ language }) => language),
    )
    const by = await callerActorSession(deps, c)
    return locked(deps, c, changes, async (deps) => {
      const publication = { instanceId, by, note: body.revision?.note, reverts: revision.id }
      const reverted = await revertRevision(deps, publication, changes)
      const skipped = reverted.skipped.map((each) => ({ ...each, branding: each.branding || null }))
      return { ...serializePublished(reverted), skipped }
    })
  })
}

/**
 * Runs `act` once per `Idempotency-Key`, while no other request writes strings of the same brandings.
 * The locks come first, because a transaction must not wait for them.
 */
function locked(
  deps: Deps,
  c: AppContext,
  changes: readonly { branding: string }[],
  act: (deps: Deps) => Promise<object>,
): Promise<Response> {
  const { id } = c.get('instance')
  return withStringLocks(deps, id, brandingsOfChanges(changes), 'CONFLICT', (db) =>
    idempotent({ ...deps, db }, c, act),
  )
}

function serializePublished({ revision, version }: Published) {
  return { string_revision: revision ? serializeRevision(revision) : null, version }
}

function serializeRevision(row: StringRevisionRow): StringRevisionRecord {
  return {
    id: row.id,
    note: row.note,
    reverts: row.reverts,
    version: row.version,
    change_count: row.changes,
    created: row.created,
    created_session: row.created_session,
  }
}

function serializeChange(row: StringChangeRow) {
  return {
    id: row.id,
    language: row.language,
    branding: row.branding || null,
    before: row.text_before,
    text: row.text_after,
  }
}
