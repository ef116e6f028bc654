import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXPANSIONS } from '../expansions.ts'
import { startTestApp } from '../../test/app.ts'
import { AREAS } from '../../shared/rules/permissions.ts'
import { SCOPES, permissionsOf } from '../../shared/rules/scopes.ts'
import { AREA_OF_MEMBER, permissionFor } from './scopes.ts'

const app = await startTestApp()
const routes = app.checkstand.mounts
  .filter(({ security }) => security === 'basic')
  .flatMap((mount) => mount.routes)

describe('the scope of a route', () => {
  it('follows from its tag and method, and every route of the API has both', () => {
    expect(routes.length).toBeGreaterThan(30)
    const restricted = routes.filter((route) => permissionFor(route) !== undefined)
    const areas = new Set(restricted.map((route) => permissionFor(route)?.split(':')[0]))
    expect([...areas]).toEqual(expect.arrayContaining([...AREAS]))
    for (const route of restricted) {
      expect(permissionFor(route)).toMatch(route.method === 'get' ? /:read$/ : /:write$/)
    }
    const open = routes.filter((route) => permissionFor(route) === undefined)
    // What they return depends on the areas of the caller; users have sessions and preferences of their own.
    expect(open.map(({ path }) => path).toSorted()).toEqual([
      '/attention',
      '/events/stream',
      '/preferences',
      '/preferences',
      '/search',
      '/timeline',
      '/user_sessions',
      '/user_sessions',
      '/user_sessions/:id',
      '/user_sessions/:id',
      '/whoami',
    ])
  })

  it('is a defect if the tag belongs to no area', () => {
    expect(() => permissionFor({ tag: 'workflows', method: 'get' })).toThrow('workflows')
    expect(() => permissionFor({ tag: 'constructor', method: 'get' })).toThrow('constructor')
  })
})

describe('the scope of an expanded member', () => {
  const AREA_OF_KIND: Record<string, string | null> = {
    session: null,
    transaction: 'payments',
    account: 'accounts',
    payment_method: 'accounts',
    contract: 'charges',
    charge: 'charges',
    payment: 'payments',
    deep_link: 'payment_links',
    legal_entity: 'instances',
    payment_link: 'payment_links',
  }
  const members = Object.values(EXPANSIONS).flatMap(({ members: all }) =>
    Object.entries(all).map(([name, to]) => [name, typeof to === 'string' ? to : to.kind] as const),
  )

  it('is declared for exactly the existing members', () => {
    const names = new Set(members.map(([name]) => name))
    expect(Object.keys(AREA_OF_MEMBER).toSorted()).toEqual([...names].toSorted())
  })

  it.each(members)('is for %s that of its records of the kind %s', (name, kind) => {
    expect(AREA_OF_MEMBER[name]).toBe(AREA_OF_KIND[kind])
  })
})

describe('scopes', () => {
  it('are read and write, for all areas and for each', () => {
    expect(SCOPES).toHaveLength(2 + 2 * AREAS.length)
  })

  it('permit writing without reading, and one area without another', () => {
    expect(permissionsOf('payments:write')).toEqual(new Set(['payments:write']))
    expect(permissionsOf('read')).toEqual(new Set(AREAS.map((area) => `${area}:read`)))
    expect(permissionsOf('')).toEqual(new Set())
  })

  it('leave the accounts at processors out of write', () => {
    const written = permissionsOf('write')
    expect(written?.has('processors:write')).toBe(false)
    expect(written?.size).toBe(AREAS.length - 1)
    expect(permissionsOf('write processors:write')?.has('processors:write')).toBe(true)
  })

  it.each(['payments', 'payments:admin', 'Read', 'read,write', 'read\tpayments:write', '*'])(
    'with the unknown name %j are none at all',
    (scope) => {
      expect(permissionsOf(`read ${scope}`)).toBeUndefined()
    },
  )

  it('add up in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SCOPES]), (names) => {
        const together = permissionsOf(names.join(' '))
        const one = names.flatMap((name) => [...(permissionsOf(name) ?? [])])
        expect(together).toEqual(new Set(one))
      }),
    )
  })
})
