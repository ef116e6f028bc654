import type { ConsoleBoot } from '../../shared/console-boot.ts'
import { firstListPath } from '../../shared/list-query.ts'
import type { Deps } from '../deps.ts'
import { lastEventId } from '../event-stream/last-event-id.ts'
import { findEndOfEvents } from '../event-stream/store.ts'
import type { AppContext } from '../http/router.ts'

const INSTANCES = '/c/api/instances'

/** Answers a request as the server would, without the network. */
export type Ask = (request: Request, env: unknown) => Response | Promise<Response>

/**
 * Returns what the first screen of an instance asks the API, so that the browser does not ask again. Null
 * when another site opens the console, since the length of the compressed page tells of what is in it.
 * `section` is the part of the address that names the screens; what is refused is left out.
 */
export async function readFirstAnswers(
  deps: Deps,
  c: AppContext,
  ask: Ask,
  about: { instance: { id: string; key: string }; section: string; token: string },
): Promise<ConsoleBoot['first']> {
  const site = c.req.header('sec-fetch-site')
  if (site !== 'same-origin' && site !== 'none') return null
  const { instance, section, token } = about
  // Read before the answers: the stream of events goes on behind it.
  const end = await findEndOfEvents(deps.db)
  const list = firstListPath(section)
  // A list that is searched, or one record, is asked for by its screen.
  const isPlain = c.req.path.split('/').length === 4 && !c.req.url.includes('?')
  const paths = ['/attention', ...(isPlain && list !== undefined ? [list] : [])].map(
    (path) => `${INSTANCES}/${instance.key}${path}`,
  )
  const headers = new Headers(c.req.raw.headers)
  headers.set('Accept', 'application/json')
  headers.set('Checkstand-Console', token)
  headers.set('Sec-Fetch-Site', 'same-origin')
  headers.delete('Accept-Encoding')
  const answers = await Promise.all(
    paths.map(async (path): Promise<[string, unknown] | undefined> => {
      const response = await ask(new Request(new URL(path, c.req.url), { headers }), c.env)
      return response.ok ? [path, await response.json()] : undefined
    }),
  )
  return {
    instance: instance.key,
    lastEventId: lastEventId(deps, instance.id, end),
    answers: Object.fromEntries(answers.filter((each) => each !== undefined)),
  }
}
