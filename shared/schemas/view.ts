import { z } from 'zod'
import { actorSession } from './actor-session.ts'
import { instant, recordText, relation } from './common.ts'
import { listView } from './preferences.ts'

export const createViewRequest = z
  .strictObject({ view: listView.describe('The view to share.') })
  .meta({ id: 'CreateView', description: 'Body of a request that shares a view of a list.' })

export type NewView = z.output<typeof createViewRequest>['view']

export const view = z
  .strictObject({
    id: recordText('View id; begins with `vw_`.', 'vw_1893499200000_3f4g5h6i7j8k9l0m'),
    ...listView.shape,
    created_session: relation(actorSession).describe('Who shared it, and from where. Expandable.'),
    created: instant.describe('When it was shared.'),
  })
  .meta({ id: 'View', description: 'A view of a list of the console that all users share.' })

export type ViewRecord = z.output<typeof view>

export const viewResponse = z.strictObject({ view })
