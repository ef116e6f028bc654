import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ApiResponse } from '../../test/client.ts'
import { until } from '../../test/program.ts'
import { expectOutcomes, newFolder, startTestServer } from './test-server.ts'
import { FIU } from './required-tools.ts'

/** A disk whose fsync fails. */

it('is never reported as done: readiness goes red, nothing is lost that was answered, and it heals', async () => {
  const folder = await newFolder()
  const path = join(folder, 'shop.db')
  const fifo = join(folder, 'fiu')
  const shop = await startTestServer(path, {
    LD_PRELOAD: FIU,
    FIU_CTRL_FIFO: fifo,
    FIU_ENABLE: '',
  })
  const control = (command: string) =>
    execFileSync('fiu-ctrl', ['-f', fifo, '-c', command, String(shop.program.process.pid)])
  const fault = 'name=posix/io/sync/fsync'

  const results: [string, ApiResponse][] = []
  const pay = async (key: string) => results.push([key, await shop.pay(key)])
  await pay('before')
  for (let n = 0; n < 4; n += 1) await shop.prepare(`during-${n}`)
  control(`enable ${fault}`)
  for (let n = 0; n < 4; n += 1) await pay(`during-${n}`)
  await until('readiness to go red', async () => (await shop.ready()) === 503)
  expect(results.slice(1).map(([, { status }]) => status)).not.toContain(200)
  control(`disable ${fault}`)
  await until('readiness to go green', async () => (await shop.ready()) === 200)

  // Now and then, while payments come and go.
  control(`enable_random ${fault},probability=0.2`)
  await Promise.all(Array.from({ length: 40 }, (_, n) => pay(`sometimes-${n}`)))
  control(`disable ${fault}`)
  shop.program.process.kill('SIGKILL')
  await shop.program.ended

  const again = await startTestServer(path)
  await expectOutcomes(again, results)
})
