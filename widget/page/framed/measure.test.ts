import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { measure } from './measure.ts'

/** Content whose height the test sets, in a browser whose frames it draws. */
function setUp() {
  let height = 0
  let resized = () => {}
  let draw = () => {}
  const told: number[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(act: () => void) {
        resized = act
      }
      observe = () => resized()
    },
  )
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => {
    draw = act
  })
  const content = { getBoundingClientRect: () => ({ height }) } as Element
  measure(content, (next) => told.push(next))
  return {
    told,
    become: (...heights: number[]) => {
      for (const next of heights) {
        height = next
        resized()
      }
      draw()
    },
  }
}

afterEach(() => vi.unstubAllGlobals())

describe('the height of a framed page', () => {
  it('is told once a drawing, in whole pixels, as it grows and as it shrinks', () => {
    const { told, become } = setUp()
    become(400, 500, 612.25)
    become(380)
    expect(told).toEqual([613, 380])
  })

  it('is not told again while it stays the same', () => {
    const { told, become } = setUp()
    become(600)
    become(599.5)
    become(600)
    expect(told).toEqual([600])
  })

  it('is always one that a frame can have', () => {
    const { told, become } = setUp()
    become(0)
    become(1_000_000)
    expect(told).toEqual([100, 10_000])
    fc.assert(
      fc.property(fc.float({ noNaN: true, min: 0 }), (next) => {
        become(next)
        const last = told.at(-1) ?? 0
        return Number.isInteger(last) && last >= 100 && last <= 10_000
      }),
    )
  })
})
