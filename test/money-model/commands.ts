import type fc from 'fast-check'
import { planTrial, type TrialRequest } from './begin-trial.ts'
import { expectSameRecords } from './compare.ts'
import { type CaptureRequest, planCapture } from './capture.ts'
import { type ChargeChangeRequest, planChange } from './change-charge.ts'
import { type DeepLinkRequest, planDeepLink } from './change-deep-link.ts'
import { type JobStep, pass, type TimeStep, runJob } from './jobs.ts'
import type { Model } from './model.ts'
import type { Operation } from './operation.ts'
import { type LinkRequest, planLink } from './pay-link.ts'
import { planRefund, type RefundRequest } from './refund.ts'
import {
  planSchedule,
  planSubscribe,
  type ScheduleRequest,
  type SubscriptionRequest,
} from './schedule.ts'
import { planPayment, type PaymentRequest } from './create-payment.ts'
import { sendConcurrently } from './concurrent.ts'
import { planVoid, type VoidRequest } from './void.ts'
import type { World } from './world.ts'

/** A request as plain data. It is applied to a concrete record only when it runs. */
export type Request =
  | PaymentRequest
  | CaptureRequest
  | RefundRequest
  | VoidRequest
  | ScheduleRequest
  | SubscriptionRequest
  | ChargeChangeRequest
  | LinkRequest
  | DeepLinkRequest
  | TrialRequest

/** The request for a wish; undefined when there is nothing that it could be about. */
export function plan(model: Model, wish: Request): Operation | undefined {
  switch (wish.kind) {
    case 'take':
      return planPayment(model, wish)
    case 'capture':
      return planCapture(model, wish)
    case 'refund':
      return planRefund(model, wish)
    case 'void':
      return planVoid(model, wish)
    case 'schedule':
      return planSchedule(model, wish)
    case 'subscribe':
      return planSubscribe(model, wish)
    case 'change':
      return planChange(model, wish)
    case 'link':
      return planLink(model, wish)
    case 'deep link':
      return planDeepLink(model, wish)
    case 'trial':
      return planTrial(model, wish)
  }
}

type Command = fc.AsyncCommand<Model, World>

/** One request at a time. */
export function singleCommand(wish: Request): Command {
  return {
    check: (model) => plan(model, wish) !== undefined,
    async run(model, world) {
      const operation = plan(model, wish)
      if (!operation) return
      world.fault = operation.fault
      world.sparesVoids = wish.kind !== 'void'
      const response = await operation.send(world)
      world.fault = 'none'
      operation.follow(model, response)
      await expectSameRecords(model, world)
    },
    toString: () => say(wish),
  }
}

/** Two requests that are under way at the same time. */
export function concurrentCommand(wishes: Request[]): Command {
  return {
    check: (model) =>
      wishes.every((wish) => plan(model, wish) !== undefined) && !isMoving(model, wishes),
    async run(model, world) {
      const operations = wishes.map((wish) => plan(model, wish) as Operation)
      await sendConcurrently(model, world, operations)
      await expectSameRecords(model, world)
    },
    toString: () => `together(${wishes.map(say).join(' and ')})`,
  }
}

/**
 * Whether what a key means may change while requests use it: both may look before either of them
 * learns that the newest payment was declined, and that is no wrong answer.
 */
function isMoving({ payments }: Model, wishes: Request[]): boolean {
  const byKey = wishes.some((wish) => 'byKey' in wish && wish.byKey)
  return byKey && payments.some(({ waiting }) => waiting !== null)
}

export function job(wish: JobStep): Command {
  return {
    check: () => true,
    async run(model, world) {
      await runJob(model, world, wish)
      await expectSameRecords(model, world)
    },
    toString: () => say(wish),
  }
}

export function passTime(wish: TimeStep): Command {
  return {
    check: () => true,
    run: async (model, world) => pass(model, world, wish),
    toString: () => say(wish),
  }
}

/** Steps of one story, as far as each of them is possible when its turn comes. */
export function inSequence(steps: Command[]): Command {
  return {
    check: () => true,
    async run(model, world) {
      for (const step of steps) if (step.check(model)) await step.run(model, world)
    },
    toString: () => steps.map(String).join(', then '),
  }
}

function say({ kind, ...members }: { kind: string }): string {
  return `${kind}${JSON.stringify(members)}`
}
