import type { Account, Charge, Intent } from './objects.ts'

/** What an account of Stripe has on its books, operation by operation. Amounts are Stripe's minor units. */
export interface StripeEntries {
  operations: {
    /** The key of ours. */
    operation: string
    kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'VOID' | 'REFUND'
    state: 'APPROVED' | 'PENDING' | 'DECLINED'
    amount: number
  }[]
  charges: { id: string; amount: number; refunded: number }[]
  authorisations: { id: string; reserved: number; captured: number; released: number }[]
}

/**
 * Reads the books of an account. `voids` has the keys of the cancellations, by intent. Refunds that were
 * not made with a key of ours are no operations, but part of the charges.
 */
export function entriesOf(account: Account, voids: ReadonlyMap<string, string>): StripeEntries {
  const intents = [...account.intents.values()].map((intent) => ({
    intent,
    charge: account.charges.get(intent.latest_charge ?? ''),
  }))
  const refunds = [...account.refunds.values()].flatMap(({ metadata, amount, status }) =>
    metadata['operation'] === undefined
      ? []
      : [
          {
            operation: metadata['operation'],
            kind: 'REFUND' as const,
            state: REFUND_STATES[status],
            amount,
          },
        ],
  )
  return {
    operations: [
      ...intents.flatMap(({ intent, charge }) => operationsOf(intent, charge, voids)),
      ...refunds,
    ],
    charges: [...account.charges.values()]
      .filter(({ captured }) => captured)
      .map(({ id, amount_captured, amount_refunded }) => ({
        id,
        amount: amount_captured,
        refunded: amount_refunded,
      })),
    authorisations: intents.flatMap(({ intent, charge }) =>
      intent.capture_method === 'manual' && charge?.paid
        ? [
            {
              id: intent.id,
              reserved: intent.amount,
              captured: charge.amount_captured,
              released:
                intent.status === 'requires_capture' ? 0 : intent.amount - charge.amount_captured,
            },
          ]
        : [],
    ),
  }
}

const REFUND_STATES = {
  succeeded: 'APPROVED',
  pending: 'PENDING',
  requires_action: 'PENDING',
  failed: 'DECLINED',
  canceled: 'DECLINED',
} as const

function operationsOf(
  { id, amount, status, capture_method, metadata }: Intent,
  charge: Charge | undefined,
  voids: ReadonlyMap<string, string>,
): StripeEntries['operations'] {
  const operation = metadata['operation'] ?? ''
  if (!charge?.paid) return []
  const state = 'APPROVED'
  if (capture_method === 'automatic') return [{ operation, kind: 'PAY', state, amount }]
  const reserved = { operation, kind: 'AUTHORISE', state, amount } as const
  const followed =
    status === 'canceled'
      ? ({ operation: voids.get(id) ?? '', kind: 'VOID', state, amount } as const)
      : charge.captured
        ? ({
            operation: metadata['capture'] ?? '',
            kind: 'CAPTURE',
            state,
            amount: charge.amount_captured,
          } as const)
        : undefined
  return followed ? [reserved, followed] : [reserved]
}
