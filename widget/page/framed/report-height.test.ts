import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { reportHeight } from './report-height.ts'

/** Content with a height that the test sets, in a browser that paints on request. */
function setUp(height = 0) {
  let resized = () => {}
  const told: number[] = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(act: () => void) {
        resized = act
      }
      observe = () => {}
    },
  )
  const content = { getBoundingClientRect: () => ({ height }) } as Element
  reportHeight(content, (next) => told.push(next))
  return {
    told,
    become: (next: number) => {
      height = next
      resized()
    },
  }
}

afterEach(() => vi.unstubAllGlobals())

describe('the height of a framed page', () => {
  it('is reported at once, before a frame out of view is painted', () => {
    expect(setUp(900).told).toEqual([900])
  })

  it('is reported in whole pixels when it grows or shrinks', () => {
    const { told, become } = setUp(500)
    become(612.25)
    become(380)
    expect(told).toEqual([500, 613, 380])
  })

  it('is not reported again while it is the same', () => {
    const { told, become } = setUp(600)
    become(599.5)
    become(600)
    expect(told).toEqual([600])
  })

  it('is not reported while the page is hidden', () => {
    const { told, become } = setUp(0)
    expect(told).toEqual([])
    become(640)
    become(0)
    expect(told).toEqual([640])
  })

  it('is always in the range that the embed script accepts', () => {
    const { told, become } = setUp()
    become(1_000_000)
    expect(told).toEqual([10_000])
    become(1)
    expect(told).toEqual([10_000, 100])
    fc.assert(
      fc.property(fc.float({ noNaN: true, min: 1 }), (next) => {
        become(next)
        const last = told.at(-1) ?? 0
        return Number.isInteger(last) && last >= 100 && last <= 10_000
      }),
    )
  })
})
