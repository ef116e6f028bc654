import type { ProcessorBooks } from '../money-model/books.ts'
import { entriesOf } from './ledger-entries.ts'
import type { Account } from './objects.ts'

/**
 * Returns the books of an account in the form in which they are compared with ours. A refund that failed
 * after it had succeeded counts as made, and one from elsewhere is left out, because reversals tell of
 * both. `voids` has the keys of the cancellations, by intent; with `of`, only these operations count.
 */
export function booksOf(
  account: Account,
  voids: ReadonlyMap<string, string>,
  of?: ReadonlySet<string>,
): ProcessorBooks {
  const isOurs = (operation: string | undefined) =>
    operation !== undefined && (of === undefined || of.has(operation))
  const operationOf = (intent: string) => account.intents.get(intent)?.metadata['operation']
  const refunds = [...account.refunds.values()].filter(({ metadata }) =>
    isOurs(metadata['operation']),
  )
  const failedLater = new Set(
    refunds
      .filter(({ failure_reason }) => failure_reason !== undefined)
      .map(({ metadata }) => metadata['operation']),
  )
  const { operations, authorisations } = entriesOf(account, voids)
  return {
    operations: operations
      .filter(({ operation }) => isOurs(operation))
      .map((each) =>
        failedLater.has(each.operation) ? { ...each, state: 'APPROVED' as const } : each,
      ),
    taken: [...account.charges.values()]
      .filter(({ captured, payment_intent }) => captured && isOurs(operationOf(payment_intent)))
      .map(({ id, amount_captured }) => ({
        amount: amount_captured,
        refunded: refunds
          .filter(({ charge }) => charge === id)
          .reduce((sum, { amount }) => sum + amount, 0),
      })),
    reserved: authorisations.filter(({ id }) => isOurs(operationOf(id))),
  }
}
