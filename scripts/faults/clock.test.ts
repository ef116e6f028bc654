import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { until } from '../../test/program.ts'
import {
  expectBalancedBooks,
  isSettled,
  newFolder,
  startTestServer,
  readFileOf,
} from './test-server.ts'
import { FAKETIME } from './required-tools.ts'

/** A clock that is set while the server runs; durations go on as they were. */

it.each([
  ['an hour ahead', 3700],
  ['an hour back', -3700],
  ['ten days ahead', 864_000],
])('a clock that jumps %s loses no payment and charges no card twice', async (_, seconds) => {
  const folder = await newFolder()
  const clock = join(folder, 'clock')
  const set = (offset: number) => writeFile(clock, `${offset < 0 ? '' : '+'}${offset}s`)
  await set(0)
  const shop = await startTestServer(join(folder, 'shop.db'), {
    LD_PRELOAD: FAKETIME ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  const times = () =>
    readFileOf<{ created: string }>(shop.path, 'select created from payments order by rowid').map(
      ({ created }) => Date.parse(created),
    )
  await shop.pay('before')
  const open = await shop.pay('open', CARDS.pendingSuccess)
  expect(open.json.payment.status).toBe('PENDING')
  await set(seconds)
  for (const key of ['after-1', 'after-2']) {
    expect((await shop.pay(key)).json.payment.status).toBe('SUCCESS')
  }
  const [first, , third] = times() as [number, number, number]
  expect(Math.abs(third - first - seconds * 1000)).toBeLessThan(60_000)
  expect(await shop.ready()).toBe(200)
  // The same keys mean the same payments, on either side of the jump, unless they are too old.
  if (seconds < 604_800) {
    const again = await shop.pay('before')
    expect(again.json.payment.alt_key).toBe('before')
  }
  // Work scheduled by the old clock runs when its time comes.
  await set(0)
  await until('everything to settle', async () => isSettled(shop.path))
  expect(readFileOf(shop.path, 'select id from sandbox_charges')).toHaveLength(4)
  expectBalancedBooks(shop.path)
})
