import { expect, it } from 'vitest'
import { STYLE } from './style.ts'

it('uses only colors and sizes that the theme defines', () => {
  const [light = ''] = /:root\s*\{[^}]*\}/.exec(STYLE) ?? []
  const used = [...STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name)
  expect(used.length).toBeGreaterThan(50)
  for (const name of used) expect(light).toContain(`${name}:`)
})
