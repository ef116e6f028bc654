import { execFileSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ApiResponse } from '../../test/client.ts'
import { until } from '../../test/program.ts'
import {
  expectBalancedBooks,
  expectOutcomes,
  newFolder,
  startTestServer,
  readFileOf,
} from './test-server.ts'

/** A disk of its own, in memory, that is gone when the test ends. */
async function newDisk(size: string): Promise<string> {
  const folder = await newFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

/** Takes all of a disk but so many bytes. */
async function fill(disk: string, left: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - left), 1))
}

const charges = (path: string) => readFileOf(path, 'select id from sandbox_charges').length

it('nothing is begun on a disk that is nearly full, and everything works when there is room', async () => {
  const disk = await newDisk('64m')
  const shop = await startTestServer(join(disk, 'shop.db'))
  await shop.pay('before')
  await shop.prepare('during')
  await fill(disk, 12_000_000)
  await until('readiness to go red', async () => (await shop.ready()) === 503)
  expect((await shop.pay('during')).status).toBe(503)
  expect((await shop.api('/payment_links')).status).toBe(200)
  expect(charges(shop.path)).toBe(1)
  await rm(join(disk, 'ballast'))
  await until('readiness to go green', async () => (await shop.ready()) === 200)
  expect((await shop.pay('during')).json.payment.status).toBe('SUCCESS')
  expectBalancedBooks(shop.path)
})

it('money that moved while the last byte was taken is recorded when there is room again', async () => {
  const disk = await newDisk('24m')
  // Free space is not checked, so that the database itself runs out of disk.
  const shop = await startTestServer(join(disk, 'shop.db'), { DISK_FREE_MB: '0' })
  await shop.pay('before')
  const keys = Array.from({ length: 300 }, (_, n) => `full-${n}`)
  for (const key of keys) await shop.prepare(key)
  await fill(disk, 400_000)
  const results: [string, ApiResponse][] = []
  for (const key of keys) results.push([key, await shop.pay(key)])
  const statuses = new Set(results.map(([, { status }]) => status))
  expect(statuses).toContain(200)
  expect(statuses).toContain(500)
  await rm(join(disk, 'ballast'))
  await until('readiness to be green', async () => (await shop.ready()) === 200)
  await expectOutcomes(shop, results)
})
