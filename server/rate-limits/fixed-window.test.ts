import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { countInWindow } from './fixed-window.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const windowMs = 60_000
const start = Math.ceil(app.now() / windowMs) * windowMs

it('a window takes so many, then asks to wait for the next one, which begins anew', async () => {
  const ask = (now: number, key = 'k') =>
    countInWindow(db, { name: 'rate', key }, { max: 2, windowMs, now })
  expect(await ask(start)).toBe(0)
  expect(await ask(start + 10)).toBe(0)
  expect(await ask(start + 15_000)).toBe(45_000)
  expect(await ask(start + 59_999)).toBe(1)
  expect(await ask(start + 15_000, 'somebody else')).toBe(0)
  expect(await ask(start + windowMs)).toBe(0)
})
