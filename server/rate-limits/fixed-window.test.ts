import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { countInWindow } from './fixed-window.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const windowMs = 60_000
const start = Math.ceil(app.now() / windowMs) * windowMs

it('allows max hits in a window and returns the wait until the next one', async () => {
  const count = (now: number, key = 'k') =>
    countInWindow(db, { name: 'rate', key }, { max: 2, windowMs, now })
  expect(await count(start)).toBe(0)
  expect(await count(start + 10)).toBe(0)
  expect(await count(start + 15_000)).toBe(45_000)
  expect(await count(start + 59_999)).toBe(1)
  expect(await count(start + 15_000, 'other')).toBe(0)
  expect(await count(start + windowMs)).toBe(0)
})
