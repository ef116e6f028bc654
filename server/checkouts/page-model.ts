import type { CheckoutView, PageModel, PageView } from '../../shared/page-model.ts'
import { translate, intlLanguage } from '../../shared/rules/wording.ts'
import type { NumberStyle } from '../../shared/rules/money.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLink } from '../payment-links/store.ts'
import { shippedBundle } from '../strings/bundle.ts'
import type { Bundle } from '../strings/bundle.ts'
import { returnNotice } from './return.ts'
import { checkoutView } from './view.ts'

/** The first view of a link and the HTTP status that goes with it. */
export interface FirstView {
  model: PageModel
  status: 200 | 404 | 410
}

/**
 * What the server renders for `GET /pay/{pl_id}`. It reads and writes nothing, so that mail
 * scanners and link previews use nothing up (contract section 7.1, complaint U-10).
 */
export async function firstView(
  deps: Deps,
  linkId: string,
  from: { handle: string | undefined },
): Promise<FirstView> {
  const bundle = shippedBundle('default')
  const link = await findLink(deps.db, linkId)
  if (!link) return { model: unavailable(bundle), status: 404 }
  const instance = await getInstance(deps.db, link.instance_id)
  const status = linkStatus(link, deps.now())
  const frame = { merchant: instance.name, test_mode: instance.mode === 'TEST' }
  const unpaid = status === 'ACTIVE' || status === 'EXPIRED'
  if (unpaid && (link.archived !== null || status === 'EXPIRED')) {
    const view = link.archived !== null ? 'UNAVAILABLE' : 'EXPIRED'
    return { model: { ...unavailable(bundle), ...frame, view }, status: 410 }
  }
  const checkout = await checkoutView(deps, { instance, link, bundle })
  return {
    status: 200,
    model: {
      view: viewOf(checkout),
      payment_link: link.id,
      ...frame,
      notice: unpaid ? await returnNotice(deps, link.id, from.handle) : null,
      number_style: numberStyle(bundle.language),
      checkout,
    },
  }
}

function viewOf(checkout: CheckoutView): PageView {
  if (checkout.result === null) return 'FORM'
  return checkout.result.outcome === 'BUSY' ? 'BUSY' : 'RESULT'
}

/** A page about nothing: it tells a stranger neither whether a link existed nor whose it was. */
function unavailable(bundle: Bundle): PageModel {
  return {
    view: 'UNAVAILABLE',
    payment_link: null,
    merchant: '',
    test_mode: false,
    notice: null,
    number_style: numberStyle(bundle.language),
    checkout: {
      id: null,
      payment_link: null,
      status: 'EXPIRED',
      options_v: 1,
      expires: null,
      language: bundle.language,
      direction: bundle.direction,
      branding: null,
      timezone: null,
      strings_hash: bundle.hash,
      strings: bundle.strings,
      terms: {
        name: '',
        intro: null,
        amount: null,
        amount_editable: false,
        currency: 'EUR',
        currency_digits: 2,
        alt_key: null,
        alt_key_editable: false,
        description: null,
        description_editable: false,
        comment_allowed: false,
        expires: null,
      },
      details: { needed: false, prefill: {} },
      save_card: { show: false, initial: false, consent: false },
      methods: [],
      saved_methods: [],
      result: null,
    },
  }
}

/** How the payer's language separates decimals and thousands. */
function numberStyle(language: string): NumberStyle {
  const parts = new Intl.NumberFormat(intlLanguage(language)).formatToParts(1234567.5)
  const part = (type: 'decimal' | 'group') => parts.find((found) => found.type === type)?.value
  return { decimal: part('decimal') ?? '.', group: part('group') ?? ',' }
}

/** What a chat shows under the link: the amount, where it is fixed. */
export function previewText(model: PageModel): string | null {
  const { terms, strings, language } = model.checkout
  if (terms.amount === null || terms.amount_editable) return null
  const amount = new Intl.NumberFormat(intlLanguage(language), {
    style: 'currency',
    currency: terms.currency,
    minimumFractionDigits: terms.currency_digits,
    maximumFractionDigits: terms.currency_digits,
    // A decimal string keeps every digit, where a float would not.
  }).format(terms.amount as unknown as number)
  return translate(strings, language, 'checkout.preview', { amount, merchant: model.merchant })
}
