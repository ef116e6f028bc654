import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveAll, resolveString, type StringLookup } from '../../shared/rules/inherit.ts'
import { stringLayers } from './resolve.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

const ID = 'methods.title'
const BASE = DEFAULT_CATALOG['default']?.[ID]
const rowsOf =
  (scopes: Record<string, Record<string, string>>): StringLookup =>
  ({ branding, language }) =>
    scopes[`${branding}/${language}`]

describe('the source of a string', () => {
  // Strongest first; each row is resolved with itself and the rows below it.
  const order = ['kids/af', '/af', 'kids/default', '/default']
  it.each(order.map((scope, i) => [scope, order.slice(i)]))(
    '%s beats what follows it',
    (_scope, standing) => {
      const rows = rowsOf(Object.fromEntries(standing.map((scope) => [scope, { [ID]: scope }])))
      const resolved = resolveString(stringLayers({ branding: 'kids', language: 'af' }, rows), ID)
      expect(resolved?.text).toBe(standing[0])
    },
  )

  it('is the default translation before a changed base string, and is marked stale', () => {
    const language = Object.keys(DEFAULT_CATALOG).find((code) => code !== 'default')
    if (!language) throw new Error('no translation is shipped')
    const rows = rowsOf({ '/default': { [ID]: 'Donate' } })
    const resolved = resolveString(stringLayers({ branding: '', language }, rows), ID)
    expect(resolved).toMatchObject({
      text: DEFAULT_CATALOG[language]?.[ID],
      stale: true,
      overriding: undefined,
    })
    const untouched = resolveString(
      stringLayers({ branding: '', language }, () => undefined),
      ID,
    )
    expect(untouched?.stale).toBe(false)
  })

  it('is never the scope’s own override for the inherited text', () => {
    for (const scope of [
      { branding: '', language: 'default' },
      { branding: 'kids', language: 'default' },
      { branding: '', language: 'af' },
    ]) {
      const rows = rowsOf({ [`${scope.branding}/${scope.language}`]: { [ID]: 'own' } })
      expect(resolveString(stringLayers(scope, rows), ID)).toMatchObject({
        text: 'own',
        overriding: BASE,
      })
    }
  })

  it('is the same for single and for bulk resolution', () => {
    const ids = Object.keys(DEFAULT_CATALOG['default'] ?? {}).slice(0, 12)
    const strings = fc.dictionary(fc.constantFrom(...ids), fc.string({ maxLength: 8 }), {
      noNullPrototype: true,
    })
    const scope = fc.record({
      branding: fc.constantFrom('', 'kids'),
      language: fc.constantFrom('default', 'af', 'fr'),
    })
    const scopes = ['/default', 'kids/default', '/af', 'kids/af', '/fr', 'kids/fr']
    const standing = fc.record(Object.fromEntries(scopes.map((key) => [key, strings])))
    fc.assert(
      fc.property(scope, standing, (wanted, held) => {
        const layers = stringLayers(wanted, rowsOf(held))
        const all = resolveAll(layers)
        for (const id of Object.keys(all)) expect(resolveString(layers, id)?.text).toBe(all[id])
        expect(Object.keys(all).length).toBeGreaterThanOrEqual(
          Object.keys(DEFAULT_CATALOG['default'] ?? {}).length,
        )
      }),
    )
  })
})
