import { describe, expect, it } from 'vitest'
import type { Instance } from '../db/tables/instances.ts'
import { readConfig } from '../config.ts'
import type { FirstKey } from '../admin/first-instance.ts'
import { banner } from './banner.ts'

function printed(
  databaseUrl: string,
  secretKey: FirstKey = 'EXISTING',
  firstUser?: string,
): string {
  return banner({
    config: readConfig({ DATABASE_URL: databaseUrl }),
    instance: { key: 'default' } as Instance,
    secretKey,
    link: undefined,
    firstUser,
  })
}

describe('what is printed at each start', () => {
  it.each([
    ['postgres://shop:hush@db:5432/checkstand', 'postgres://db:5432/checkstand'],
    ['postgres://shop:hu@sh@db/checkstand', 'postgres://db/checkstand'],
    ['postgres://:hush@db/checkstand', 'postgres://db/checkstand'],
    ['postgresql://db/checkstand?user=shop&password=hush', 'postgresql://db/checkstand'],
    ['postgres://db/checkstand#hush', 'postgres://db/checkstand'],
    ['file:./data/checkstand.db', 'file:./data/checkstand.db'],
  ])('says where the data is and nothing more: %s', (url, said) => {
    expect(/ {2}Data +(?<where>.*)/.exec(printed(url))?.groups?.['where']).toBe(said)
    expect(printed(url)).not.toMatch(/hush|hu@|@sh/)
  })

  it.each([
    [{ generated: 'sk_test_shown_once' }, 'sk_test_shown_once'],
    ['PRESET', 'the one in CHECKSTAND_SECRET_KEY\n'],
    ['PRESET_REVOKED', 'REVOKED'],
    ['PRESET_OF_ANOTHER_INSTANCE', 'ANOTHER INSTANCE'],
    ['EXISTING', 'key create'],
  ] as const)('states the status of the secret key: %j', (key, said) => {
    expect(printed('file:./checkstand.db', key)).toContain(said)
  })

  it('begins with the address that makes the first user, later with the console', () => {
    const first = (text: string) => text.split('\n').filter((line) => line !== '')[1]
    const address = 'http://localhost:4242/sign-in/first/si_1'
    expect(first(printed('file:./a.db', 'EXISTING', address))).toBe(`  Begin here      ${address}`)
    expect(first(printed('file:./a.db'))).toBe('  Console         http://localhost:4242/console')
  })
})
