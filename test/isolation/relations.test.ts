import { describe, expect, it } from 'vitest'
import { EXPANSIONS } from '../../server/expansions.ts'
import { singular } from '../../server/http/openapi/operation-id.ts'
import { startTestApp } from '../app.ts'
import { forgeRelations } from './forge.ts'
import { LISTS } from './lists.ts'
import { MERCHANT_AIMS } from './merchant-aims.ts'
import { readOperations } from './operations.ts'
import { SECRET, createTarget, watch } from './two-tenants.ts'
import { makeTenant } from './tenant.ts'

/**
 * Should a record ever come to name one of another merchant, it shows no more than that name: what
 * is expanded is looked for among the caller's own.
 */

const app = await startTestApp()
const { db } = app.checkstand.deps
const { target } = await createTarget(app)
const forger = await makeTenant(app, await app.newMerchant(), { secret: 'forger', keys: 'forger' })
const { census, leaks } = await watch(app, target, forger)
await forgeRelations(db, census, forger, target)

const kindOf = (operation: string) =>
  singular(LISTS[operation]?.member ?? operation.split('/')[1] ?? '')
const expanding = (await readOperations(app))
  .filter(({ query }) => query.includes('expand'))
  // The forgery changes the relation that chooses its records, which `GET /payment_links` lists, too.
  .filter(({ name }) => name !== 'GET /deep_links/{id}/payment_links')
  .map(({ name }) => [name, Object.keys(EXPANSIONS[kindOf(name)]?.members ?? {})] as const)
  .filter(([, members]) => members.length > 0)

describe('a record that names those of another merchant', () => {
  it('can be had of every kind that can be expanded', () => {
    const kinds = new Set(expanding.map(([operation]) => kindOf(operation)))
    const capture = 'capture'
    const expected = Object.keys(EXPANSIONS).filter(
      (kind) => Object.keys(EXPANSIONS[kind]?.members ?? {}).length > 0,
    )
    expect([...kinds].filter((kind) => kind !== capture).toSorted()).toEqual(expected.toSorted())
  })

  it.each(expanding)('shows their names and nothing else: %s', async (operation, members) => {
    const path = LISTS[operation]
      ? `${LISTS[operation].path(forger.names)}?limit=1000`
      : `${MERCHANT_AIMS[operation]?.(forger.names, forger.names)[0]?.path}?`
    const plain = await forger.merchant.api(path)
    expect(plain.status, plain.text).toBe(200)
    expect(leaks(plain), 'the forgery').not.toEqual([])
    expect(plain.text).not.toContain(SECRET)
    for (const member of members) {
      const expanded = await forger.merchant.api(`${path}&expand=${member}`)
      expect(expanded.text, member).toBe(plain.text)
    }
  })
})
