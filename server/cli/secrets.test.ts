import { expect, it } from 'vitest'
import { isDeep } from '../../test/depth.ts'
import { runCommand, runProgram } from '../../test/run-command.ts'
import { testFolder } from '../../test/folder.ts'

const HUSH = 'hush-8f2c'

it.each([
  ['whose server is not there', `postgres://shop:${HUSH}@127.0.0.1:1/checkstand`],
  ['whose password is in the query', `postgres://127.0.0.1:1/checkstand?user=a&password=${HUSH}`],
  ['whose password has a sign too many', `postgres://shop:${HUSH}@x@127.0.0.1:1/checkstand`],
  ['whose port is none', `postgres://shop:${HUSH}@127.0.0.1:port/checkstand`],
  ['with a space in it', `postgres://shop:${HUSH} x@127.0.0.1:1/checkstand`],
  ['of another kind', `mysql://shop:${HUSH}@127.0.0.1:1/checkstand`],
])('the password of a database %s is in no output', async (what, databaseUrl) => {
  const serve = isDeep || what === 'whose server is not there'
  for (const [run, args] of [
    ...(serve ? [[runProgram, ['serve']] as const] : []),
    [runCommand, ['migrate']],
    [runCommand, ['user', 'list']],
    [runCommand, ['restore', '--in-place']],
  ] as const) {
    const ran = await run(databaseUrl, args, { LOG_LEVEL: 'trace', PORT: '1' })
    expect([args, ran.code]).toEqual([args, 1])
    expect(ran.stdout + ran.err).not.toContain(HUSH)
  }
})

it.each([
  `postgres://shop:${HUSH}@127.0.0.1:1/checkstand`,
  `postgres://127.0.0.1:1/checkstand?user=a&password=${HUSH}`,
  `postgres://shop:${HUSH}@127.0.0.1:port/checkstand`,
])('a password is no argument of move, and is not repeated: %#', async (to) => {
  const folder = await testFolder()
  const ran = await runCommand(`file:${folder}/x.db`, ['move', '--to', to])
  expect([ran.code, ran.stdout]).toEqual([2, ''])
  expect(ran.err).toMatch(/PGPASSWORD|not a valid postgres/)
  expect(ran.err).not.toContain(HUSH)
})
