import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../test/run-command.ts'
import { testFolder } from '../../test/folder.ts'

it.each([
  ['payment', 'unresolved'],
  ['payment', 'settle', '--attempt', 'at_1', '--declined'],
  ['restore', '--in-place'],
  ['user', 'list'],
  ['key', 'create'],
  ['client', 'list'],
  ['instance', 'create', '--merchant', 'M', '--key', 'k', '--name', 'N'],
  ['backup', 'copy.db'],
  ['move', '--to', 'postgres://u@127.0.0.1:1/d'],
])('%s %s makes no database where there is none, and says where it looked', async (...args) => {
  const folder = await testFolder()
  const path = join(folder, 'data', 'misspelt.db')
  const ran = await runCommand(`file:${path}`, args)
  const message = `There is no database at ${path}. Set DATABASE_URL\n`
  expect([ran.code, ran.stdout, ran.err]).toEqual([1, '', message])
  expect(await readdir(folder)).toEqual([])
  expect(existsSync('copy.db')).toBe(false)
})
