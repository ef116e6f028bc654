import type { ApiResponse } from '../client.ts'
import { expectSameRecords } from './compare.ts'
import type { Model } from './model.ts'
import type { Operation } from './operation.ts'
import type { World } from './world.ts'

/**
 * Sends two requests at the same time. Their answers must be those of one order or the other: what they
 * did together is what they could have done one after another.
 */
export async function sendConcurrently(
  model: Model,
  world: World,
  operations: readonly Operation[],
): Promise<void> {
  const answers = await Promise.all(operations.map((operation) => operation.send(world)))
  const problems: unknown[] = []
  const sent = operations.map((operation, at) => ({
    operation,
    answer: answers[at] as ApiResponse,
  }))
  for (const order of [sent, sent.toReversed()]) {
    const after = structuredClone(model)
    try {
      for (const { operation, answer } of order) operation.follow(after, answer)
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
