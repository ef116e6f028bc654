import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const sources = globSync('console/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(`${root}${file}`, 'utf8'))
  .join('\n')

describe('the texts of the console', () => {
  it.each(globSync('locales/console/en/*.json', { cwd: root }))('are all used in %s', (file) => {
    const texts = JSON.parse(readFileSync(`${root}${file}`, 'utf8')) as Record<string, string>
    const isUsed = (id: string) => {
      const stem = id.replace(/_(one|other)$/, '')
      // `t(`status_${status}`)` names a family of ids.
      const families = stem.split('_').map((_part, at, all) => all.slice(0, at).join('_'))
      return (
        sources.includes(`'${stem}'`) ||
        families.some((family) => family !== '' && sources.includes(`\`${family}_\${`)) ||
        sources.includes(`: '${stem}'`)
      )
    }
    expect(Object.keys(texts).filter((id) => !isUsed(id))).toEqual([])
  })

  it('are sorted, and say something', () => {
    for (const file of globSync('locales/console/en/*.json', { cwd: root })) {
      const texts = JSON.parse(readFileSync(`${root}${file}`, 'utf8')) as Record<string, string>
      expect(Object.keys(texts), file).toEqual(Object.keys(texts).toSorted())
      expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([])
    }
  })
})
