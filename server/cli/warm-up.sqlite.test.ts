import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { warmUp } from './warm-up.ts'

it('pays links in a database of its own, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  vi.stubEnv('TMPDIR', folder)
  await warmUp()
  expect(await readdir(folder)).toEqual([])
})

it('takes requests at once, and says that it is ready only once it has warmed up', async () => {
  const app = await startTestApp({ PORT: '0' })
  const warm = Promise.withResolvers<void>()
  const port = await app.checkstand.start(() => warm.promise)
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect([await status('/livez'), await status('/readyz'), await status('/')]).toEqual([
    200, 503, 200,
  ])
  warm.resolve()
  await expect.poll(() => status('/readyz')).toBe(200)
})
