import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { requestsOf } from './requests.ts'
import { keyedRequests } from '../isolation/keyed-requests.ts'
import { payerToken } from '../isolation/names.ts'
import { createTarget, watch } from '../isolation/two-tenants.ts'
import { makeTenant } from '../isolation/tenant.ts'

/**
 * Every route under random requests, made from its own schemas. A run is given
 * by its seed: `SEED=… npx vitest run test/fuzz.test.ts` plays it again, and `RUNS=2000`
 * looks for longer.
 */

const RUNS = Number(process.env['RUNS'] ?? 15)

// A caller's own limits would soon refuse everything.
const app = await startTestApp({ PAYER_RATE: '0' })
const { target } = await createTarget(app)
const own = await makeTenant(app, await app.newMerchant(), { secret: 'first', keys: 'first' })
const { leaks } = await watch(app, target, own)
// Bearer credentials: any holder may see what they open.
const OPEN = /^(paid|open|saved|deep|task)Link$|^slug$|Handle$/
const closed = Object.entries(target.names).filter(([name]) => !OPEN.test(name))
const words = [...new Set([...Object.values(own.names), ...closed.map(([, value]) => value)])]
const requestBodies = keyedRequests(own.names) as Record<string, unknown>

const asPayer = { authorization: `Bearer ${payerToken(own.names)}` }
const payer: typeof app.call = (path, call) =>
  app.call(path, { ...call, headers: { ...asPayer, ...call?.headers } })
/** Returns a request whose response ends: a stream that follows the events goes on. */
function endsOf(path: string): string {
  if (!path.startsWith('/events/stream')) return path
  const query = new URLSearchParams(path.split('?')[1])
  query.set('follow', 'false')
  return `/events/stream?${query.toString()}`
}

// Bearer tokens reach the same routes as keys do.
const mounts = app.checkstand.mounts.filter(({ security }) => security !== 'bearer')

describe.each(mounts.map((mount) => [mount.security, mount] as const))(
  'as %s',
  (security, { routes }) => {
    it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
      '%s responds as documented to any request',
      async (_, route) => {
        const template = route.path.replace(/:(\w+_)?id/g, ':id')
        const bodies = Object.entries(requestBodies)
          .filter(([path]) => path.replace(/:\w+/g, ':id') === template)
          .map(([, body]) => body)
        const requests = requestsOf(route, { words, bodies })
        const logged = app.logged().length
        await fc.assert(
          fc.asyncProperty(requests, async ({ path: asked, call, said: texts }) => {
            const path = endsOf(asked)
            const response = await (security === 'basic' ? own.merchant.api : payer)(path, call)
            expect(response.status, response.text).toBeLessThan(500)
            const sent = texts.map((text) => text.replaceAll('%', ''))
            expect(leaks(response, sent)).toEqual([])
          }),
          { numRuns: RUNS, ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
        )
        expect(app.logged().slice(logged)).not.toContain('"level":50')
      },
    )
  },
)
