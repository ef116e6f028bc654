import type { Processor } from '../server/processors/port.ts'

/** The calls that move money or save a method, or tell what became of it. */
const OPERATIONS = [
  'pay',
  'setup',
  'authorize',
  'capture',
  'refund',
  'void',
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
  const wrapped = OPERATIONS.flatMap((name) => {
    const operate = processor[name] as ((asked: unknown) => Promise<unknown>) | undefined
    return operate ? [[name, wrap(name, operate.bind(processor))]] : []
  })
  return { ...processor, ...Object.fromEntries(wrapped) }
}
