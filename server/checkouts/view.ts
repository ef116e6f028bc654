import type { ZodType } from 'zod'
import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import type { CheckoutTerms, CheckoutView } from '../../shared/page-model.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { formatMinor, parseAmount } from '../../shared/rules/money.ts'
import { payerFields } from '../../shared/rules/payer-fields.ts'
import { saveCardView } from '../../shared/rules/save-card.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { address as addressSchema } from '../../shared/schemas/common.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Deps } from '../deps.ts'
import { nameOf } from '../instances/brandings.ts'
import { type PayerLink, unstoredLink } from '../deep-links/payer-link.ts'
import { deepLinkPath } from '../deep-links/serialize.ts'
import { parseOptions } from '../deep-links/validate.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { isUnavailable, linkPayability } from '../payment-links/payability.ts'
import { offeredMethods } from '../processors/offered.ts'
import type { AmountLimits, Processor } from '../processors/port.ts'
import type { LegalEntityContent } from '../legal-entities/content.ts'
import type { Bundle } from '../strings/bundle.ts'
import { serializeShownEntity } from './legal-entity-view.ts'
import { amountChoice, commonLimits } from './amount-choice.ts'
import { readTerms } from './charges.ts'
import { serializeRhythm } from './recurring.ts'
import { serializeDueCharge } from './charge-lines.ts'
import { findCheckoutResult } from './payment-result.ts'
import { listSessionMethods, listSavedMethods } from './saved-methods.ts'
import { knownDetails } from './required-details.ts'
import { usableProcessors } from './usable-processors.ts'
import { fixedAmount, resolveCurrency } from './resolve-terms.ts'
import { checkoutStatus } from './status.ts'
import type { PayerLocale } from './resolve-locale.ts'

export interface ViewSource extends PayerLink {
  bundle: Bundle
  /** Undefined for the first view, which is rendered before a session is opened. */
  checkout?: CheckoutRow
  /** The locale of a view without a session. */
  locale?: PayerLocale
  /** The handle with which the payer returned from a bank. */
  handle?: string | undefined
  /** What the page shows of the legal entity. */
  legalEntity?: LegalEntityContent | undefined
  /** The only connection that may take the payment of a view without a session. */
  processor?: string | null
  /** The session was just opened and has no attempts. */
  isNew?: boolean
}

/** Returns what the payer may see of a link and their session. */
export async function buildCheckoutView(deps: Deps, source: ViewSource): Promise<CheckoutView> {
  const { instance, link, bundle, checkout } = source
  const { options, charges } = await readTerms(deps.db, link, checkout)
  const checkoutId = source.isNew ? undefined : checkout?.id
  const currency = resolveCurrency(instance, options, checkout)
  const through = checkout ? checkout.processor_id : (source.processor ?? null)
  const processors = await usableProcessors(deps, instance, through)
  const result = await findCheckoutResult(
    deps,
    { instance, link, currency, isBusy: charges?.isBusy ?? false },
    checkoutId,
    source.handle,
  )
  // A paid link shows a receipt to anyone with the URL, without personal data.
  const isReceipt = link.status !== 'ACTIVE' || result?.outcome === 'BUSY'
  return {
    id: checkout?.id ?? null,
    // A page without a session is cached.
    now: checkout ? formatInstant(deps.now()) : null,
    payment_link: link.id,
    ...(source.legalEntity && {
      legal_entity: serializeShownEntity(source.legalEntity, bundle.language),
    }),
    ...payAgain(source, deps.now()),
    merchant: checkout?.merchant ?? nameOf(instance, source.locale?.branding ?? ''),
    status: viewStatus(source, deps.now()),
    options_v: link.options_v,
    expires: checkout?.expires ?? null,
    language: bundle.language,
    direction: bundle.direction,
    branding: checkout ? checkout.branding : source.locale?.branding || null,
    timezone: checkout ? checkout.timezone : (source.locale?.timezone ?? null),
    strings_hash: bundle.hash,
    strings: bundle.strings,
    terms: {
      ...checkoutTerms(
        instance,
        link,
        options,
        currency,
        commonLimits(processors, instance, currency),
      ),
      ...(options.recurring && { recurring: serializeRhythm(options.recurring) }),
      ...(charges && { charges: charges.due.map(serializeDueCharge) }),
    },
    details: isReceipt ? NO_DETAILS : payerDetails(options),
    save_card: saveCardView(options),
    methods: isReceipt
      ? []
      : await listOfferedMethods(deps, instance, options, { currency, processors }),
    saved_methods: isReceipt
      ? await removableMethods(deps, source)
      : await listSavedMethods(deps, instance, options, {
          currency,
          amount: fixedAmount(options, currency),
          checkout,
          through,
        }),
    result,
  }
}

/** Returns where the payer of a paid link can pay again: on its deep link, while that can be paid. */
function payAgain({ link, instance, deepLink }: ViewSource, now: number) {
  if (link.status !== 'PAYMENT_SUCCESS' || deepLink?.action !== 'PAY') return {}
  const next = { link: unstoredLink(deepLink, parseOptions(deepLink)), instance, deepLink }
  return linkPayability(next, { now }) === 'PAYABLE' ? { deep_link: deepLinkPath(deepLink) } : {}
}

/** Lists the new methods with which a link can be paid. */
async function listOfferedMethods(
  deps: Deps,
  instance: Instance,
  options: PaymentLinkOptions,
  { currency, processors }: { currency: string; processors: readonly Processor[] },
): Promise<CheckoutView['methods']> {
  return offeredMethods(processors, instance.mode, options, currency, {
    amount: fixedAmount(options, currency),
    details: await knownDetails(deps, instance, options, processors),
  })
}

/** Lists the methods that the payer of a completed session can still remove. */
async function removableMethods(
  deps: Deps,
  { link, checkout }: ViewSource,
): Promise<CheckoutView['saved_methods']> {
  // The contract of a link charges the method.
  const isCharged = parseLinkContent(link).options.recurring != null
  return checkout?.status === 'COMPLETED' && !isCharged ? listSessionMethods(deps, checkout) : []
}

const NO_DETAILS: CheckoutView['details'] = { needed: false, prefill: {} }

function viewStatus({ checkout, ...payerLink }: ViewSource, now: number): CheckoutView['status'] {
  const payability = linkPayability(payerLink, { now })
  // The payment may have been made in another session.
  if (payability === 'PAYMENT_SUCCESS') return 'COMPLETED'
  if (payability === 'PAYMENT_PENDING') return 'PENDING'
  const isUnsubmitted = !checkout || checkout.status === 'OPEN'
  if (isUnsubmitted && isUnavailable(payability)) return 'EXPIRED'
  return checkout ? checkoutStatus(checkout, now) : 'OPEN'
}

function checkoutTerms(
  instance: Instance,
  link: SessionLink,
  options: PaymentLinkOptions,
  currency: string,
  limits: AmountLimits,
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
    ...amountChoice(options, currency, limits),
    expires: link.expires,
  }
}

/** Returns nothing of a fixed account, because a link does not prove that the payer owns it. */
function payerDetails(options: PaymentLinkOptions): CheckoutView['details'] {
  const account = options.account
  if (typeof account === 'string') return { needed: false, prefill: {} }
  const prefill: CheckoutView['details']['prefill'] = {}
  for (const member of ['first_name', 'last_name', 'email', 'phone'] as const) {
    const value = account?.[member]
    if (value != null) prefill[member] = value
  }
  const address = Object.fromEntries(Object.entries(account?.address ?? {}).filter(isAllowed))
  if (Object.keys(address).length > 0) prefill.address = address
  return { needed: true, prefill }
}

/**
 * Excludes absent lines, and those stored under older rules, which would be refused when the page
 * submits them.
 */
function isAllowed(line: [string, string | null | undefined]): line is [string, string] {
  const [name, value] = line
  const lines: Record<string, ZodType> = addressSchema.shape
  return value != null && (lines[name]?.safeParse(value).success ?? false)
}
