import { expect } from 'vitest'
import type { ApiResponse } from '../app.ts'
import { type Charge, type Fault, type Model, newest, openAmount, type Payment } from './model.ts'
import { formatAmount, type World } from './world.ts'

/** One request: how it is sent, and what a right answer makes of the model. */
export interface Operation {
  send: (world: World) => Promise<ApiResponse>
  /**
   * Applies the response to the model. Throws when no right server could have given the answer,
   * and then the model is worth nothing any more.
   */
  follow: (model: Model, answer: ApiResponse) => void
  fault: Fault
}

/** The last one is left to those who need a key that few others have. */
export const KEYS = ['order', 'ORDER', 'other', 'Rare']
export const RARE_KEY = 3

/** A record among those there are, whatever number was drawn; undefined when there are none. */
export function pick<T>(all: readonly T[], drawn: number): T | undefined {
  return all[drawn % all.length]
}

/**
 * A payment to do something with: usually one with which it can be done, and now and then a stray
 * one, because that must be refused.
 */
export function aim(
  model: Model,
  { target, stray }: { target: number; stray: boolean },
  isFit: (payment: Payment) => boolean,
): string | undefined {
  const fit = model.payments.filter(isFit)
  return pick(stray ? model.payments : fit, target)?.id ?? undefined
}

export function paymentNamed(model: Model, id: string): Payment {
  const found = model.payments.find((payment) => payment.id === id)
  if (!found) throw new Error(`the model knows no ${id}`)
  return found
}

export function chargeNamed(model: Model, id: string): Charge {
  const found = model.charges.find((charge) => charge.id === id)
  if (!found) throw new Error(`the model knows no ${id}`)
  return found
}

/** Records with this key, of these types, the newest first. */
export function withKey(model: Model, key: string, types: Payment['type'][]): Payment[] {
  return newest(
    model.payments.filter(
      ({ altKey, type }) => altKey?.toLowerCase() === key.toLowerCase() && types.includes(type),
    ),
  )
}

export function expectRefusal(answer: ApiResponse, status: number, type: string): void {
  expect([answer.status, answer.json?.error?.type], answer.text).toEqual([status, type])
}

export function expectPayment(model: Model, record: unknown, payment: Payment): void {
  expect(record).toMatchObject(shownPayment(model, payment))
}

/** The members of a payment's record in the model. */
export function shownPayment(model: Model, payment: Payment): Record<string, unknown> {
  const isAuth = payment.type === 'AUTH'
  const left = payment.status === 'SUCCESS' ? payment.amount - payment.refunded : 0
  return {
    id: payment.id,
    type: payment.type,
    status: payment.status,
    amount: formatAmount(payment.amount),
    captured_amount: isAuth ? formatAmount(payment.captured) : null,
    open_amount: isAuth ? formatAmount(openAmount(model, payment)) : null,
    refunded_amount: isAuth ? null : formatAmount(payment.refunded),
    refundable_amount: isAuth ? null : formatAmount(left),
    authorisation: payment.authorisation?.id ?? null,
    alt_key: payment.altKey,
    charge: payment.charge?.id ?? null,
    payment_method: payment.method,
    parts: payment.parts.map((part) => ({
      charge: part.charge.id,
      amount: formatAmount(part.amount),
    })),
  }
}
