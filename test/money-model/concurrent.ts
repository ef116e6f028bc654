import { expectSameRecords } from './compare.ts'
import type { Model } from './model.ts'
import type { Operation } from './operation.ts'
import type { World } from './world.ts'

/**
 * Sends requests at the same time. Their answers must be those of one order or the other: what they
 * did together is what they could have done one after another.
 */
export async function sendConcurrently(
  model: Model,
  world: World,
  operations: readonly Operation[],
): Promise<void> {
  const answers = await Promise.all(operations.map((operation) => operation.send(world)))
  const problems: unknown[] = []
  for (const order of ordersOf(operations.length)) {
    const after = structuredClone(model)
    try {
      for (const at of order) {
        const operation = operations[at] as Operation
        operation.follow(after, answers[at] as Awaited<ReturnType<Operation['send']>>)
      }
      await expectSameRecords(after, world)
      Object.assign(model, after)
      return
    } catch (error) {
      problems.push(error)
    }
  }
  const messages = problems.map((problem) => (problem instanceof Error ? problem.message : ''))
  throw new Error(`no order of the requests explains their answers:\n${messages.join('\n')}`, {
    cause: problems[0],
  })
}

function ordersOf(count: number): number[][] {
  if (count === 0) return [[]]
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
  )
}
