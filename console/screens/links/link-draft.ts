import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import type { PaymentLinkOptions } from '../../../shared/schemas/payment-link.ts'
import type { PreviewDrawing } from '../../../shared/preview-messages.ts'
import { currencyDigits } from '../../../shared/rules/currency-digits.ts'
import { readTyped } from '../../ui/amounts.ts'
import { localTime, utcTime } from '../../ui/Time.tsx'

/** What the editor holds: every field as it was typed. */
export interface LinkDraft {
  name: string
  amountKind: 'fixed' | 'suggested' | 'free'
  amount: string
  currency: string
  reference: string
  referenceEditable: boolean
  /** Value of a field of the type `datetime-local`, in the browser's time zone; empty for no end. */
  expires: string
  intro: string
  who: 'anyone' | 'customer' | 'fill_in'
  customer: string
  firstName: string
  lastName: string
  email: string
  after: 'receipt' | 'straight' | 'only'
  successUrl: string
  saving: 'payer' | 'ticked' | 'always' | 'never'
  receiptEmail: boolean
  comment: string
  channel: string
  /** JSON; empty for none. Deep links have none. */
  state: string
  /** `many` is a deep link, which many payers use. */
  uses: 'once' | 'many'
  /** The end of a deep link's address; empty for random bits. */
  slug: string
  /** Digits; empty for no limit. */
  maxUses: string
}

/** What a part of the editor gets. */
export interface PartProps {
  draft: LinkDraft
  set: (change: Partial<LinkDraft>) => void
  problems: DraftProblems
}

export const emptyDraft = (currency: string): LinkDraft => ({
  name: '',
  amountKind: 'fixed',
  amount: '',
  currency,
  reference: '',
  referenceEditable: false,
  expires: '',
  intro: '',
  who: 'anyone',
  customer: '',
  firstName: '',
  lastName: '',
  email: '',
  after: 'receipt',
  successUrl: '',
  saving: 'payer',
  receiptEmail: false,
  comment: '',
  channel: '',
  state: '',
  uses: 'once',
  slug: '',
  maxUses: '',
})

/** Returns the draft of an existing link. */
export function draftOf(
  { options, expires, state }: Pick<PaymentLink, 'options' | 'expires' | 'state'>,
  currency: string,
): LinkDraft {
  const { account } = options
  const filled = typeof account === 'object' ? account : null
  return {
    name: options.name ?? '',
    amountKind: options.amount ? 'fixed' : options.default_amount ? 'suggested' : 'free',
    amount: options.amount ?? options.default_amount ?? '',
    currency: options.currency ?? currency,
    reference: options.alt_key ?? options.default_alt_key ?? '',
    referenceEditable: options.alt_key == null && options.default_alt_key != null,
    expires: expires === null ? '' : localTime(expires),
    intro: options.page_intro ?? '',
    who: typeof account === 'string' ? 'customer' : filled ? 'fill_in' : 'anyone',
    customer: typeof account === 'string' ? account : '',
    firstName: filled?.first_name ?? '',
    lastName: filled?.last_name ?? '',
    email: filled?.email ?? '',
    after: options.success_url ? (options.skip_receipt ? 'straight' : 'receipt') : 'only',
    successUrl: options.success_url ?? '',
    saving:
      options.save_card === true
        ? 'always'
        : options.save_card === false
          ? 'never'
          : options.default_save_card
            ? 'ticked'
            : 'payer',
    receiptEmail: options.receipt_email === true,
    comment: options.description ?? '',
    channel: options.channel ?? '',
    state: state === null ? '' : JSON.stringify(state, null, 2),
    uses: 'once',
    slug: '',
    maxUses: '',
  }
}

/** Returns the draft of an existing deep link that takes payments. */
export function draftOfDeepLink(link: DeepLink, currency: string): LinkDraft {
  return {
    ...draftOf({ ...link, state: null }, currency),
    uses: 'many',
    slug: link.slug ?? '',
    maxUses: link.max_uses === null ? '' : String(link.max_uses),
  }
}

/** What is wrong with a draft, by its field; empty when it can be saved. */
export type DraftProblems = Partial<
  Record<keyof LinkDraft, 'amount' | 'json' | 'https' | 'past' | 'slug' | 'count'>
>

export function draftProblems(draft: LinkDraft, now: number): DraftProblems {
  const problems: DraftProblems = {}
  if (draft.amountKind !== 'free' && amountOf(draft) === undefined) problems.amount = 'amount'
  if (draft.uses === 'once') {
    if (draft.state.trim() !== '' && !isJson(draft.state)) problems.state = 'json'
  } else {
    if (draft.slug !== '' && !/^[a-z0-9][a-z0-9-]{1,62}$/.test(draft.slug)) problems.slug = 'slug'
    if (draft.maxUses !== '' && !/^[1-9]\d{0,8}$/.test(draft.maxUses)) problems.maxUses = 'count'
  }
  if (
    draft.after !== 'only' &&
    draft.successUrl !== '' &&
    !draft.successUrl.startsWith('https://')
  ) {
    if (!/^http:\/\/(localhost|127\.0\.0\.1)/.test(draft.successUrl)) problems.successUrl = 'https'
  }
  if (draft.expires !== '' && Date.parse(draft.expires) <= now) problems.expires = 'past'
  return problems
}

const amountOf = ({ amount, currency }: LinkDraft): string | undefined =>
  readTyped(amount, currency, currencyDigits(currency))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the request that saves a draft as a payment link. `before` are the options of an edited link,
 * whose members that the editor does not show are kept.
 */
export function linkRequest(draft: LinkDraft, before?: PaymentLinkOptions) {
  return {
    payment_link: {
      options: optionsOf(draft, before),
      ...expiresOf(draft, before),
      ...stateOf(draft, before),
    },
  }
}

/** The state is cleared in an edited link whose field is empty. */
function stateOf({ state }: LinkDraft, before: PaymentLinkOptions | undefined) {
  if (state.trim() === '') return before === undefined ? {} : { state: null }
  return isJson(state) ? { state: JSON.parse(state) as object } : {}
}

/** Returns the request that saves a draft as a deep link; see `linkRequest`. */
export function deepLinkRequest(draft: LinkDraft, before?: PaymentLinkOptions) {
  const isNew = before === undefined
  return {
    deep_link: {
      ...(isNew && { action: 'PAY' }),
      ...((draft.slug !== '' || !isNew) && { slug: draft.slug === '' ? null : draft.slug }),
      options: optionsOf(draft, before),
      ...((draft.maxUses !== '' || !isNew) && {
        max_uses: draft.maxUses === '' ? null : Number(draft.maxUses),
      }),
      ...expiresOf(draft, before),
    },
  }
}

/** The end is cleared in an edited link whose field is empty. */
function expiresOf({ expires }: LinkDraft, before: PaymentLinkOptions | undefined) {
  if (expires !== '') return { expires: utcTime(expires) }
  return before === undefined ? {} : { expires: null }
}

function optionsOf(draft: LinkDraft, before: PaymentLinkOptions = {}): PaymentLinkOptions {
  const text = (value: string) => (value.trim() === '' ? null : value)
  const amount = draft.amountKind === 'free' ? null : (amountOf(draft) ?? null)
  const reference = text(draft.reference)
  const options: PaymentLinkOptions = {
    ...before,
    name: text(draft.name),
    amount: draft.amountKind === 'fixed' ? amount : null,
    default_amount: draft.amountKind === 'suggested' ? amount : null,
    currency: draft.currency,
    alt_key: draft.referenceEditable ? null : reference,
    default_alt_key: draft.referenceEditable ? reference : null,
    page_intro: text(draft.intro),
    account: accountOf(draft),
    success_url: draft.after === 'only' ? null : text(draft.successUrl),
    skip_receipt: draft.after === 'straight' ? true : null,
    save_card: draft.saving === 'always' ? true : draft.saving === 'never' ? false : null,
    default_save_card: draft.saving === 'ticked' ? true : null,
    receipt_email: draft.receiptEmail ? true : null,
    description: text(draft.comment),
    channel: text(draft.channel),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value != null))
}

/** Returns what a payer would be shown of a draft. `merchant` names a link without a name of its own. */
export function previewOf(draft: LinkDraft, merchant: string): NonNullable<PreviewDrawing['link']> {
  const { amountKind, saving, who } = draft
  const amount = amountKind === 'free' ? null : (amountOf(draft) ?? null)
  return {
    terms: {
      name: draft.name.trim() || merchant,
      intro: draft.intro.trim() || null,
      amount,
      // A link without an amount leaves it to the payer.
      amount_editable: amountKind !== 'fixed' || amount === null,
      currency: draft.currency,
      currency_digits: currencyDigits(draft.currency),
      alt_key: draft.reference.trim() || null,
      alt_key_editable: draft.referenceEditable,
      description: draft.comment.trim() || null,
      expires: draft.expires === '' ? null : utcTime(draft.expires),
    },
    save_card: {
      show: saving === 'payer' || saving === 'ticked',
      initial: saving === 'ticked' || saving === 'always',
      consent: saving === 'always',
    },
    prefill:
      who === 'fill_in'
        ? {
            ...(draft.firstName !== '' && { first_name: draft.firstName }),
            ...(draft.lastName !== '' && { last_name: draft.lastName }),
            ...(draft.email !== '' && { email: draft.email }),
          }
        : {},
  }
}

function accountOf(draft: LinkDraft): PaymentLinkOptions['account'] {
  if (draft.who === 'customer') return draft.customer === '' ? null : draft.customer
  if (draft.who === 'anyone') return null
  const filled = {
    ...(draft.firstName !== '' && { first_name: draft.firstName }),
    ...(draft.lastName !== '' && { last_name: draft.lastName }),
    ...(draft.email !== '' && { email: draft.email }),
  }
  return Object.keys(filled).length === 0 ? null : filled
}
