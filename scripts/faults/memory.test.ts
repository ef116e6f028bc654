import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectBalancedBooks, newFolder, startTestServer } from './test-server.ts'

it('a process with 128 MB for its objects takes a burst of two thousand, and lives', async () => {
  const shop = await startTestServer(join(await newFolder(), 'shop.db'), {
    NODE_OPTIONS: '--max-old-space-size=128',
  })
  const links = Array.from({ length: 1800 }, () => shop.newLink())
  const payments = Array.from({ length: 200 }, (_, n) => shop.pay(`burst-${n}`))
  const statuses = [...(await Promise.all(links)), ...(await Promise.all(payments))].map(
    ({ status }) => status,
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await shop.ready()).toBe(200)
  expectBalancedBooks(shop.path)
})
