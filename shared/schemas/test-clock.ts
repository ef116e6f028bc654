import { z } from 'zod'
import { instant } from './common.ts'

/** The clock of a TEST instance, which its merchant can move forward. */

// A P or T with nothing after it is refused apart from the pattern: look-ahead is not in every dialect.
const DURATION =
  /^P(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,4}D)?(T(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?$/
const NO_DURATION = { error: 'must be an ISO 8601 duration such as P1M, P14D or PT36H' }

const duration = z
  .string()
  .regex(DURATION, NO_DURATION)
  .refine((text) => /\d[A-Z]$/.test(text), NO_DURATION)
  .meta({
    description:
      'How far to move the clock forward, as an ISO 8601 duration of calendar time in UTC.',
    example: 'P1M',
  })

const moveTo = instant.meta({
  description: 'The time to move the clock to. It must be after the current time of the instance.',
  example: '2031-01-01T00:00:00.000Z',
})

export const advanceTestClockRequest = z
  .strictObject({
    clock: z
      .strictObject({ now: moveTo.optional(), advance: duration.optional() })
      .refine(({ now, advance }) => (now === undefined) !== (advance === undefined), {
        error: 'must have either now or advance',
      })
      .meta({ description: 'How far to move it: either `now` or `advance`.' }),
  })
  .meta({ id: 'MoveTestClock', description: 'Body of a request that moves the clock.' })

export type ClockMove = z.output<typeof advanceTestClockRequest>['clock']

export const testClock = z
  .strictObject({
    now: instant.meta({ description: 'The time by the clock of the instance.' }),
    target: instant.nullable().meta({
      description:
        'The time that the clock is moving to, through everything that falls due on the way. ' +
        'Null once it is there and all of that is done.',
    }),
    offset_ms: z.int().meta({
      description: 'How far the clock is ahead of the real time, in milliseconds.',
    }),
  })
  .meta({ id: 'TestClock', description: 'The clock of a TEST instance.' })

export type TestClock = z.output<typeof testClock>

export const testClockResponse = z.strictObject({ clock: testClock })
