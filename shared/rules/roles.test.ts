import { describe, expect, it } from 'vitest'
import { ACCESS_AREAS, AREAS } from './permissions.ts'
import { permissionsOfRole, type Role } from './roles.ts'

const all = [...AREAS, ...ACCESS_AREAS].flatMap((area) => [`${area}:read`, `${area}:write`])
const of = (role: Role, mode: 'TEST' | 'LIVE') => [...permissionsOfRole(role, mode)]

describe('a role', () => {
  it('OWNER may do everything', () => {
    expect(of('OWNER', 'LIVE').toSorted()).toEqual(all.toSorted())
  })

  it('DEVELOPER moves no real money and manages no users', () => {
    const live = of('DEVELOPER', 'LIVE')
    expect(live).not.toContain('payments:write')
    expect(live).not.toContain('charges:write')
    expect(live).not.toContain('users:read')
    expect(live).not.toContain('processors:write')
    expect(of('DEVELOPER', 'TEST')).toContain('payments:write')
  })

  it('SUPPORT refunds, and changes no settings', () => {
    const live = of('SUPPORT', 'LIVE')
    expect(live).toContain('payments:write')
    expect(
      live.filter((permission) => /^(instances|strings|webhooks|keys)/.test(permission)),
    ).toEqual(['strings:read', 'instances:read', 'webhooks:read'])
  })

  it('EDITOR sees no payments and no customers', () => {
    expect(of('EDITOR', 'LIVE').toSorted()).toEqual([
      'brandings:read',
      'brandings:write',
      'instances:read',
      'payment_links:read',
      'strings:read',
      'strings:write',
    ])
  })

  it('VIEWER changes nothing', () => {
    expect(of('VIEWER', 'TEST').filter((permission) => permission.endsWith(':write'))).toEqual([])
  })
})
