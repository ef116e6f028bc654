import type { Processor } from '../server/processors/port.ts'

/** The calls that move money or save a method, or tell what became of it. */
const OPERATIONS = [
  'pay',
  'authorize',
  'capture',
  'refund',
  'void',
  'setup',
  'query',
  'cancel',
] as const

/** Returns what is called in place of an operation. */
export type Wrap = <Asked, Answered>(
  name: (typeof OPERATIONS)[number],
  operate: (asked: Asked) => Promise<Answered>,
) => (asked: Asked) => Promise<Answered>

/** Returns a processor whose operations are reached through `wrap`. */
export function wrapOperations(processor: Processor, wrap: Wrap): Processor {
  // Not every processor saves methods without a payment.
  const wrapped = OPERATIONS.filter((name) => processor[name]).map((name) => {
    const operate = processor[name] as (asked: unknown) => Promise<unknown>
    return [name, wrap(name, operate.bind(processor))]
  })
  return { ...processor, ...Object.fromEntries(wrapped) }
}
