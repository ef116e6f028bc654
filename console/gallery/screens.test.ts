import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { REDIRECTS, SCREENS } from './screens.ts'

const app = readFileSync(new URL('../App.tsx', import.meta.url), 'utf8')
const routes = Array.from(
  app.matchAll(/<Route\s+path="([^"]+)"\s+component=\{(\w+)\}/g),
  ([, path, component = '']) => ({ path, component }),
)

it('visits every route of the console in the journeys and pictures', () => {
  expect(routes).toHaveLength(app.match(/<Route\s+path=/g)?.length ?? 0)
  const drawn = routes.filter(({ component }) => !REDIRECTS.includes(component))
  expect(new Set(SCREENS.map(({ route }) => route))).toEqual(new Set(drawn.map(({ path }) => path)))
})

it('gives each screen a name and an address of its own', () => {
  expect(new Set(SCREENS.map(({ name }) => name)).size).toBe(SCREENS.length)
  for (const { name, route, id, page, branding } of SCREENS) {
    expect(route.includes(':id'), name).toBe(id !== undefined)
    expect(route.includes(':page'), name).toBe(page !== undefined)
    expect(route.includes(':branding'), name).toBe(branding !== undefined)
  }
})
