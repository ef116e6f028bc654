import type { CheckoutView, PageModel, PageView } from '../../shared/page-model.ts'
import { languageName, moneyText, numberStyle } from '../../shared/rules/display.ts'
import { translate } from '../../shared/rules/wording.ts'
import type { Deps } from '../deps.ts'
import { brandingOfChannel, brandingsOf, nameOf } from '../instances/brandings.ts'
import type { Instance } from '../instances/store.ts'
import { linkContent } from '../payment-links/record.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'
import { bundleOf, shippedBundle } from '../strings/bundle.ts'
import type { Bundle } from '../strings/bundle.ts'
import { chooseLanguage, offeredLanguages } from '../strings/languages.ts'
import type { LanguageWishes } from '../strings/languages.ts'
import { SHIPPED } from '../strings/shipped.ts'
import { embedOrigins } from './embed.ts'
import { returnNotice } from './return.ts'
import { PLAIN, lookOf } from './theme.ts'
import type { Look } from './theme.ts'
import { amountFits, checkoutView, currencyOf } from './view.ts'
import { chooseScope } from './wording.ts'

/** The first view of a link and the HTTP status that goes with it. */
export interface FirstView {
  model: PageModel
  status: 200 | 404 | 410
  look: Look
}

/**
 * What the server renders for `GET /pay/{pl_id}`. It writes nothing, so that mail scanners
 * and link previews use nothing up (contract section 7.1, complaint U-10).
 */
export async function firstView(
  deps: Deps,
  linkId: string,
  from: { handle: string | undefined; branding?: string | undefined; wishes: LanguageWishes },
): Promise<FirstView> {
  const found = await findLinkAndInstance(deps.db, linkId)
  if (!found) return { model: nobodysPage(from.wishes), status: 404, look: PLAIN }
  const { link, instance } = found
  const { options } = linkContent(link)
  const branding = brandingAsked(instance, options.channel, from.branding)
  const scope = await chooseScope(deps, instance, link, { branding, wishes: from.wishes })
  const bundle = await bundleOf(deps, instance, scope)
  const status = linkStatus(link, deps.now())
  const look = lookOf(instance, branding)
  const frame = {
    logo: look.logo,
    embed_origins: embedOrigins(instance),
    test_mode: instance.mode === 'TEST',
    languages: inOrder(await offeredLanguages(deps, instance)),
  }
  const unpaid = status === 'ACTIVE' || status === 'EXPIRED'
  const chargeable = amountFits(options, currencyOf(instance, options, undefined))
  if (unpaid && (link.archived !== null || status === 'EXPIRED' || !chargeable)) {
    const view = status === 'EXPIRED' && link.archived === null ? 'EXPIRED' : 'UNAVAILABLE'
    const model = unavailable(bundle, nameOf(instance, branding))
    return { model: { ...model, ...frame, view }, status: 410, look }
  }
  const checkout = await checkoutView(deps, {
    instance,
    link,
    bundle,
    branding,
    handle: from.handle,
  })
  const view = viewOf(checkout)
  const notice = unpaid ? await returnNotice(deps, link.id, from.handle) : null
  return {
    status: 200,
    look,
    model: {
      view,
      payment_link: link.id,
      ...frame,
      notice,
      number_style: numberStyle(bundle.language),
      checkout:
        view === 'FORM' ? { ...checkout, strings: formStrings(checkout, notice) } : checkout,
    },
  }
}

/** The page of a link that nobody here knows, in the language of whoever asks. */
export function nobodysPage(wishes: LanguageWishes): PageModel {
  const languages = Object.keys(SHIPPED)
  const bundle = shippedBundle(chooseLanguage(wishes, languages))
  return { ...unavailable(bundle, ''), languages: inOrder(languages) }
}

/** The branding that the address names, where there is such a one, else the one of the channel. */
function brandingAsked(
  instance: Instance,
  channel: string | null | undefined,
  asked: string | undefined,
): string {
  const known = brandingsOf(instance).find(({ key }) => key === asked)
  return (known ?? brandingOfChannel(instance, channel))?.key ?? ''
}

/** In the order of their own names, in which people look for theirs. */
function inOrder(codes: readonly string[]): string[] {
  return codes.toSorted((a, b) => languageName(a).localeCompare(languageName(b), 'en'))
}

/**
 * Words that a form cannot need before its session is open: those of what follows a payment. The
 * session brings the whole bundle, so the first view travels without them.
 */
const AFTERWARDS =
  /^(receipt\.|status\.(unsure|checking|bank_|busy|to_|another_way|confirm|continue|processing)|errors\.(insufficient|authentication|expired_card|processor))/

function formStrings(checkout: CheckoutView, notice: string | null): CheckoutView['strings'] {
  const needed = Object.entries(checkout.strings).filter(
    ([id]) => id === notice || !AFTERWARDS.test(id),
  )
  return Object.fromEntries(needed)
}

function viewOf(checkout: CheckoutView): PageView {
  if (checkout.result === null) return 'FORM'
  return checkout.result.outcome === 'BUSY' ? 'BUSY' : 'RESULT'
}

/** A page about nothing: it tells a stranger neither whether a link existed nor whose it was. */
function unavailable(bundle: Bundle, merchant: string): PageModel {
  return {
    view: 'UNAVAILABLE',
    payment_link: null,
    test_mode: false,
    logo: null,
    embed_origins: [],
    languages: [],
    notice: null,
    number_style: numberStyle(bundle.language),
    checkout: {
      id: null,
      payment_link: null,
      merchant,
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

/** What a chat shows under the link: the amount, where it is fixed. */
export function previewText(model: PageModel): string | null {
  const { terms, strings, language } = model.checkout
  if (terms.amount === null || terms.amount_editable) return null
  const amount = moneyText({ ...terms, amount: terms.amount }, language)
  return translate(strings, language, 'checkout.preview', {
    amount,
    merchant: model.checkout.merchant,
  })
}
