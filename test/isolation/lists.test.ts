import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp } from '../app.ts'
import { LISTS, criteriaFor } from './lists.ts'
import { readOperations } from './operations.ts'
import { createTarget, watch } from './two-tenants.ts'
import { makeTenant } from './tenant.ts'

/** Whatever a list is asked, it neither shows nor counts the records of another merchant. */

/** One test sends a hundred requests. */
const SLOW = { timeout: 30_000 }

const app = await startTestApp()
const { target } = await createTarget(app)
const own = await makeTenant(app, await app.newMerchant(), { secret: 'own', keys: 'own' })
const { leaks } = await watch(app, target, own)

it('is asked of every list with criteria', async () => {
  const lists = (await readOperations(app)).filter(({ query }) => query.includes('order'))
  expect(Object.keys(LISTS).toSorted()).toEqual(lists.map(({ name }) => name).toSorted())
})

describe.each(Object.entries(LISTS))(
  '%s',
  SLOW,
  (_operation, { member, path, fields: fieldsAt }) => {
    const fields = fieldsAt(app.now())
    const ask = async (query: Record<string, string>): Promise<ApiResponse> => {
      const text = new URLSearchParams(query).toString()
      const response = await own.merchant.api(`${path(own.names)}?${text}`)
      expect(response.status, `${text}: ${response.text}`).toBe(200)
      return response
    }

    it('shows nothing of another merchant, by any field and operator', async () => {
      const theirs = await target.merchant.api(`${path(target.names)}?limit=1000`)
      expect(theirs.json[member]).not.toEqual([])
      for (const criteria of criteriaFor(fields, theirs.json[member])) {
        const response = await ask({ criteria, limit: '1000' })
        expect(leaks(response), criteria).toEqual([])
        expect(response.json.meta.total, criteria).toBe(response.json[member].length)
      }
    })

    it('shows nothing of another merchant in any order', async () => {
      for (const order of Object.keys(fields)) {
        expect(leaks(await ask({ order, limit: '1000' })), order).toEqual([])
      }
    })

    // Pages that are full, or beyond the end, are counted by themselves.
    it('counts nothing of another merchant', async () => {
      const { json } = await ask({ limit: '1000' })
      const total = json[member].length
      expect(total).toBeGreaterThan(0)
      const id = json[member][0].id
      for (const [criteria, expected] of [
        ['', total],
        ['created!!', total],
        ['created>2000-01-01,id!!', total],
        [`id=${id}`, 1],
        [`id!=${id}`, total - 1],
      ] as const) {
        for (const offset of ['0', '4000']) {
          expect((await ask({ criteria, limit: '1', offset })).json.meta.total, criteria).toBe(
            expected,
          )
        }
      }
    })
  },
)

describe('the list of strings', () => {
  const all = async (query: string) => own.merchant.api(`/strings?limit=1000&${query}`)

  it.each(['', 'language=cy', 'overridden=Y', 'set=checkout&language=cy'])(
    'shows and counts no wording of another merchant: %s',
    async (query) => {
      const response = await all(query)
      expect(leaks(response)).toEqual([])
      expect(response.json.meta.total).toBe(response.json.strings.length)
    },
  )

  it('counts the overrides of its own instance alone, and names its own languages alone', async () => {
    const plain = await app.newMerchant()
    const { json } = await plain.api('/strings?overridden=Y')
    expect(json.meta.total).toBe(0)
    expect(json.meta.languages).not.toContain('cy')
    expect((await all('')).json.meta.languages).toContain('cy')
  })
})
