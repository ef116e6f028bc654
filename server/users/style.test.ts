import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { STYLE } from './style.ts'

/** The custom properties of a sheet: of the light part first, then of the dark one. */
function tokensOf(sheet: string): Map<string, string>[] {
  return [...sheet.matchAll(/:root\s*\{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map(
        [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
          name,
          value.replace(/\s+/g, ' '),
        ]),
      ),
  )
}

it('the pages for merchants look as the payer’s page does, in light and in dark', () => {
  const theme = tokensOf(
    readFileSync(new URL('../../widget/ui/theme.css', import.meta.url), 'utf8'),
  )
  const ours = tokensOf(STYLE)
  expect(ours).toHaveLength(2)
  for (const [i, tokens] of ours.entries()) {
    expect(tokens.size).toBeGreaterThan(15)
    for (const [name, value] of tokens) expect([name, theme[i]?.get(name)]).toEqual([name, value])
  }
  for (const [, name] of STYLE.matchAll(/var\((--[\w-]+)\)/g)) {
    expect(ours[0]?.has(name ?? ''), name).toBe(true)
  }
})
