import { chmod, link, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '../../test/folder.ts'
import { createSecretDisplay } from './first-start.ts'

const secret = { name: 'Secret key', value: 'sk_test_hush', replaceWith: 'checkstand key create' }
let folder: string
let file: string
beforeEach(async () => {
  folder = await testFolder()
  file = join(folder, 'data', 'first-start.txt')
})
const show = (isTerminal = false) =>
  createSecretDisplay({ databaseUrl: 'file:./unused.db', firstStartFile: file }, isTerminal)(secret)

describe('the secrets of a first start', () => {
  it('are printed at a terminal and not written to a file', async () => {
    expect(show(true)).toBe('sk_test_hush')
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('are written to a file that only the user of the server can read', async () => {
    expect(show()).toBe(`written to ${file}, readable by the server's user only`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toMatch(/^\S+Z {2}Secret key: sk_test_hush\n$/)
  })

  it('are added to what is there', async () => {
    show()
    show()
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3)
  })

  it('are beside a SQLite file, and with PostgreSQL where it would be', () => {
    const where = (databaseUrl: string) =>
      createSecretDisplay({ databaseUrl, firstStartFile: undefined }, false)
    expect(where(`file:${join(folder, 'x.db')}`)(secret)).toContain(join(folder, 'first-start.txt'))
  })

  it.each([
    ['a symbolic link', (other: string) => symlink(other, file)],
    ['a second name of another file', (other: string) => link(other, file)],
    ['a file that others can read', () => writeFile(file, '').then(() => chmod(file, 0o644))],
  ])('are not written to %s, and it is said how to get others', async (_what, prepare) => {
    show()
    await rm(file)
    const other = join(folder, 'other.txt')
    await writeFile(other, 'kept', { mode: 0o600 })
    await prepare(other)
    const output = show()
    expect(output).toContain('checkstand key create')
    expect(output).not.toContain('hush')
    expect(await readFile(other, 'utf8')).toBe('kept')
    expect(await readFile(file, 'utf8')).not.toContain('hush')
  })
})
