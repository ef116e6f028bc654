import type { ZodType } from 'zod'
import type { CheckoutRow, Instance, LinkRow } from '../db/rows.ts'
import type { CheckoutTerms, CheckoutView, PayerDetails } from '../../shared/page-model.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import { saveCardView } from '../../shared/rules/save-card.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { address as addressSchema } from '../../shared/schemas/common.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Deps } from '../deps.ts'
import { nameOf } from '../instances/brandings.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { linkStatus } from '../payment-links/status.ts'
import { offeredMethods } from '../processors/offered.ts'
import type { Bundle } from '../strings/bundle.ts'
import { findCheckoutResult } from './payment-result.ts'
import { listSessionMethods, listSavedMethods } from './saved-methods.ts'
import { resolveCurrency } from './resolve-currency.ts'
import { checkoutStatus } from './status.ts'
import type { PayerLocale } from './resolve-locale.ts'

/** What the payer may see of a link and their session (contract section 7.2). */

export interface ViewSource {
  instance: Instance
  link: LinkRow
  bundle: Bundle
  /** Undefined on the first, server-rendered view, before a session is opened. */
  checkout?: CheckoutRow
  /** What a view without a session is drawn in; a session has its own. */
  locale?: PayerLocale
  /** The opaque part of the address by which the payer came back from a bank. */
  handle?: string | undefined
  /** The session was opened just now, so it has made no attempt yet. */
  isNew?: boolean
}

export async function buildCheckoutView(deps: Deps, source: ViewSource): Promise<CheckoutView> {
  const { instance, link, bundle, checkout } = source
  const { options } = parseLinkContent(link)
  const tried = source.isNew ? undefined : checkout?.id
  const currency = resolveCurrency(instance, options, checkout)
  const result = await findCheckoutResult(deps, { instance, link, currency }, tried, source.handle)
  // A link that is paid is shown to whoever has its address: as a receipt, and nothing of a person.
  const shown = link.status !== 'ACTIVE' || result?.outcome === 'BUSY'
  return {
    id: checkout?.id ?? null,
    // A page without a session is kept and shown to many.
    now: checkout ? formatInstant(deps.now()) : null,
    payment_link: link.id,
    merchant: checkout?.merchant ?? nameOf(instance, source.locale?.branding ?? ''),
    status: viewStatus(link, checkout, deps.now()),
    options_v: link.options_v,
    expires: checkout?.expires ?? null,
    language: bundle.language,
    direction: bundle.direction,
    branding: checkout ? checkout.branding : source.locale?.branding || null,
    timezone: checkout ? checkout.timezone : (source.locale?.timezone ?? null),
    strings_hash: bundle.hash,
    strings: bundle.strings,
    terms: checkoutTerms(instance, link, options, currency),
    details: shown ? NOBODY : payerDetails(options),
    save_card: saveCardView(options),
    methods: shown ? [] : offeredMethods(deps.processors, instance.mode, options, currency),
    saved_methods: shown
      ? await removableMethods(deps, checkout)
      : await listSavedMethods(deps, instance, options, { currency, checkout }),
    result,
  }
}

/** Once a session's own payment has saved a method, its payer can still think better of it. */
async function removableMethods(
  deps: Deps,
  checkout: CheckoutRow | undefined,
): Promise<CheckoutView['saved_methods']> {
  return checkout?.status === 'COMPLETED' ? listSessionMethods(deps, checkout) : []
}

const NOBODY: CheckoutView['details'] = { needed: false, prefill: {} }

function viewStatus(
  link: LinkRow,
  checkout: CheckoutRow | undefined,
  now: number,
): CheckoutView['status'] {
  // A link that was paid elsewhere is paid here too.
  if (link.status === 'PAYMENT_SUCCESS') return 'COMPLETED'
  if (link.status === 'PAYMENT_PENDING') return 'PENDING'
  const idle = !checkout || checkout.status === 'OPEN'
  if (idle && (linkStatus(link, now) === 'EXPIRED' || link.archived !== null)) return 'EXPIRED'
  if (!checkout) return 'OPEN'
  return checkoutStatus(checkout, now)
}

function checkoutTerms(
  instance: Instance,
  link: LinkRow,
  options: PaymentLinkOptions,
  currency: string,
): CheckoutTerms {
  const digits = currencyDigits(currency) ?? 2
  const fields = payerFields(options)
  const amount = fields.amount === null ? undefined : parseAmount(fields.amount, digits)
  return {
    name: options.name || instance.name,
    intro: options.page_intro ?? null,
    currency,
    currency_digits: digits,
    ...fields,
    amount: amount?.ok ? formatMinor(amount.minor, digits) : fields.amount,
    expires: link.expires,
  }
}

/**
 * For an account that the merchant named, nothing of it is echoed: whoever holds the address of
 * the link is not proven to be that person.
 */
function payerDetails(options: PaymentLinkOptions): CheckoutView['details'] {
  const account = options.account
  if (typeof account === 'string') return { needed: false, prefill: {} }
  const prefill: PayerDetails = {}
  for (const member of ['first_name', 'last_name', 'email', 'phone'] as const) {
    const value = account?.[member]
    if (value != null) prefill[member] = value
  }
  const address = Object.fromEntries(
    Object.entries(account?.address ?? {}).filter(
      ([line, value]) => value != null && isAllowed(line, value),
    ),
  )
  if (Object.keys(address).length > 0) prefill.address = address
  return { needed: true, prefill }
}

/** A line that was stored under older rules would be refused when the payer's page sends it back. */
function isAllowed(line: string, value: string): boolean {
  const lines: Record<string, ZodType> = addressSchema.shape
  return lines[line]?.safeParse(value).success ?? false
}
