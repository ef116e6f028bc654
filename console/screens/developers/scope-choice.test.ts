import { describe, expect, it } from 'vitest'
import { permissionsOfRole } from '../../../shared/rules/roles.ts'
import { accessesOf, NO_SCOPES, scopesOf } from './scope-choice.ts'

describe('the scopes of a new key', () => {
  it('let read what can be written', () => {
    expect(scopesOf(NO_SCOPES)).toEqual([])
    expect(scopesOf({ ...NO_SCOPES, payments: 'read', strings: 'write' })).toEqual([
      'payments:read',
      'strings:read',
      'strings:write',
    ])
  })

  it('are at most the permissions of the person', () => {
    const developer = permissionsOfRole('DEVELOPER', 'LIVE')
    expect(accessesOf(developer, 'payments')).toEqual(['none', 'read'])
    expect(accessesOf(developer, 'payment_links')).toEqual(['none', 'read', 'write'])
    expect(accessesOf(permissionsOfRole('EDITOR', 'LIVE'), 'payments')).toEqual(['none'])
  })
})
