import type { Instance } from '../db/tables/instances.ts'
import { productText } from '../../shared/rules/amount-choice.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalid, invalidState } from '../errors.ts'
import { listAmounts } from './amount-rules.ts'
import {
  amountProblem,
  noProcessor,
  offeredMethods,
  serves,
  takesCurrency,
} from '../processors/offered.ts'
import type { Processor } from '../processors/port.ts'

/**
 * Throws an ApiError when no payment method could pay a link: no processor serves the instance or
 * the currency, no method carries the link's amount, or the link's options exclude every method.
 */
export async function requirePaymentMethod(
  { processors, db }: Pick<Deps, 'processors'> & { db?: Db | Tx },
  instance: Instance,
  options: PaymentLinkOptions,
): Promise<void> {
  const { mode, default_currency } = instance
  const used = await processors.ofInstance(instance, db)
  if (used.length === 0) throw invalidState(noProcessor(mode))
  const currency = options.currency ?? default_currency
  const serving = used.filter((processor) => serves(processor, mode, currency))
  if (serving.length === 0) {
    throw invalid(
      'payment_link.options.currency',
      `is ${currency}, which no payment processor of this instance takes`,
    )
  }
  requireAmount(serving, options, currency)
  const offered = offeredMethods(used, mode, options, currency)
  if (offered.length > 0) return
  if (options.recurring?.trial_days != null) {
    throw invalid(
      'payment_link.options.recurring.trial_days',
      `needs a payment method that can be saved without a payment, which no payment processor of this instance offers in ${currency}`,
    )
  }
  // A known account may have a saved method of a type that is not offered as a new one.
  const maySave = typeof options.account === 'string' && options.force_add !== true
  if (maySave) return
  throw invalid('payment_link.options.save_card', `leaves no way to pay in ${currency}`)
}

/**
 * Throws a 400 ApiError for an amount of the link that no method of the processors carries, whether it is
 * offered as a new one or saved. An amount that the payer types is checked when they do.
 */
function requireAmount(
  processors: readonly Processor[],
  options: PaymentLinkOptions,
  currency: string,
): void {
  const methods = processors
    .flatMap(({ capabilities }) => capabilities.methods)
    .filter((method) => takesCurrency(method, currency))
  for (const [name, text, prefix] of listOfferedAmounts(options, currency)) {
    const parsed = parseAmount(text, currencyDigits(currency) ?? 2)
    if (!parsed.ok) continue
    const problems = methods.map((method) => {
      const problem = amountProblem(method, parsed.minor, currency)
      return problem && `${problem} for ${method.type}`
    })
    if (problems.length === 0 || problems.includes(undefined)) continue
    const member = options.charges == null ? name : 'charges'
    throw invalid(`payment_link.options.${member}`, prefix + [...new Set(problems)].join(', and '))
  }
}

/** Lists the amounts that the page promises to take, with their members and the words before a rule. */
function listOfferedAmounts(
  options: PaymentLinkOptions,
  currency: string,
): [name: string, text: string, prefix: string][] {
  const { unit_amount, quantity_max } = options
  const most =
    unit_amount == null
      ? undefined
      : productText(unit_amount, quantity_max ?? 1, currencyDigits(currency) ?? 2)
  return [
    ...listAmounts(options)
      .filter(([name]) => name !== 'default_amount')
      .map(([name, text]): [string, string, string] => [name, text, '']),
    ...(most === undefined
      ? []
      : [['quantity_max', most, 'times unit_amount '] satisfies [string, string, string]]),
  ]
}
