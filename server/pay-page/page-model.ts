import type { Instance, LinkRow } from '../db/rows.ts'
import type { CheckoutView, PageModel, PageView } from '../../shared/page-model.ts'
import { languageName, moneyText, numberStyle } from '../../shared/rules/display.ts'
import { type Strings, translate } from '../../shared/rules/wording.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { brandingOfChannel, brandingsOf, nameOf } from '../instances/brandings.ts'
import { parseLinkContent } from '../payment-links/serialize.ts'
import { linkStatus } from '../payment-links/status.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'
import { type Bundle, getBundle, defaultBundle } from '../strings/bundle.ts'
import type { StringScope } from '../strings/resolve.ts'
import {
  chooseLanguage,
  type LanguagePreferences,
  getOfferedLanguages,
} from '../strings/languages.ts'
import { DEFAULT_CATALOG } from '../strings/default-catalog.ts'
import { allowedOrigins } from '../checkouts/embed-origin.ts'
import { formStrings } from './page-strings.ts'
import { findReturnNotice } from './return.ts'
import { type PageTheme, pageTheme, PLAIN } from './theme.ts'
import { amountFits, buildCheckoutView, resolveCurrency } from '../checkouts/view.ts'
import { resolveLocale } from '../checkouts/resolve-locale.ts'

/** The first view of a link and the HTTP status that goes with it. */
export interface FirstView {
  status: 200 | 404 | 410
  theme: () => PageTheme
  /** All wording of the page, of which a form's document carries only what the page may need. */
  strings: Strings
  /**
   * Names all that the model is made of, so that equal names mean equal models; undefined where
   * something else plays in, such as a payment that is under way.
   */
  cacheKey?: string | undefined
  model: () => PageModel | Promise<PageModel>
}

/**
 * What the server renders for `GET /pay/{pl_id}`. It writes nothing, so that mail scanners
 * and link previews use nothing up (contract section 7.1, complaint U-10).
 */
export async function firstView(
  deps: Deps,
  linkId: string,
  from: { handle: string | undefined; branding?: string | undefined; wishes: LanguagePreferences },
): Promise<FirstView> {
  const found = await findLinkAndInstance(deps.db, linkId)
  if (!found) return unknownLinkView(from.wishes)
  const { link, instance } = found
  const { options } = parseLinkContent(link)
  const branding = requestedBranding(instance, options.channel, from.branding)
  const scope = await resolveLocale(deps, instance, link, { branding, wishes: from.wishes })
  const bundle = await getBundle(deps, instance, scope)
  const { strings } = bundle
  const status = linkStatus(link, withClockOf(instance, deps.now))
  const look = () => pageTheme(instance, branding)
  const languages = await getOfferedLanguages(deps, instance)
  const frame = () => ({
    logo: look().logo,
    embed_origins: allowedOrigins(instance),
    test_mode: instance.mode === 'TEST',
    languages: sortByOwnName(languages),
  })
  const unpaid = status === 'ACTIVE' || status === 'EXPIRED'
  const chargeable = amountFits(options, resolveCurrency(instance, options, undefined))
  if (unpaid && (link.archived !== null || status === 'EXPIRED' || !chargeable)) {
    const view = status === 'EXPIRED' && link.archived === null ? 'EXPIRED' : 'UNAVAILABLE'
    const model = () => unavailablePage(bundle, nameOf(instance, branding))
    const madeOf = [view, instance.id, ...wordingMadeOf(instance, scope)].join(' ')
    return {
      model: () => ({ ...model(), ...frame(), view }),
      status: 410,
      theme: look,
      cacheKey: madeOf,
      strings,
    }
  }
  return {
    status: 200,
    theme: look,
    strings,
    cacheKey: from.handle === undefined ? formMadeOf(link, instance, scope) : undefined,
    async model() {
      const source = { instance, link, bundle, scope, handle: from.handle }
      const checkout = await withClockOf(instance, () => buildCheckoutView(deps, source))
      const view = viewOf(checkout)
      const notice = unpaid ? await findReturnNotice(deps, link.id, from.handle) : null
      return {
        view,
        payment_link: link.id,
        ...frame(),
        notice,
        number_style: styleOf(bundle.language),
        checkout:
          view === 'FORM' ? { ...checkout, strings: formStrings(checkout, notice) } : checkout,
      }
    },
  }
}

/**
 * All that the form of a link is made of, for a link that nobody has begun to pay and that no account
 * was named for, whose saved methods would be shown. The versions stand for what they count.
 */
function formMadeOf(link: LinkRow, instance: Instance, scope: StringScope): string | undefined {
  const begun = link.status !== 'ACTIVE' || link.claim !== null || link.payment_id !== null
  if (begun || typeof parseLinkContent(link).options.account === 'string') return undefined
  const { id, options_v, expires } = link
  return [id, options_v, expires, ...wordingMadeOf(instance, scope)].join(' ')
}

/** What an instance puts around every page: its words, its languages and its look. */
function wordingMadeOf({ v, strings_version }: Instance, { language, branding }: StringScope) {
  return [v, strings_version, language, branding]
}

/** The view of a link that nobody here knows, in the language of whoever asks. */
export function unknownLinkView(wishes: LanguagePreferences): FirstView {
  const languages = Object.keys(DEFAULT_CATALOG)
  const language = chooseLanguage(wishes, languages)
  const bundle = defaultBundle(language)
  const model = () => ({ ...unavailablePage(bundle, ''), languages: sortByOwnName(languages) })
  const { strings } = bundle
  return { model, strings, status: 404, theme: () => PLAIN, cacheKey: `unknown ${language}` }
}

/** The branding that the address names, where there is such a one, else the one of the channel. */
function requestedBranding(
  instance: Instance,
  channel: string | null | undefined,
  asked: string | undefined,
): string {
  const known = brandingsOf(instance).find(({ key }) => key === asked)
  return (known ?? brandingOfChannel(instance, channel))?.key ?? ''
}

/** In the order of their own names, in which people look for theirs. */
function sortByOwnName(codes: readonly string[]): string[] {
  return codes.toSorted((a, b) => ownName(a).localeCompare(ownName(b), 'en'))
}

// What `Intl` says of a language costs more than the rest of a page, and never changes.
const ownName = memoize(languageName)
const styleOf = memoize(numberStyle)

function memoize<T>(find: (language: string) => T): (language: string) => T {
  const known = new Map<string, T>()
  return (language) => {
    const found = known.get(language) ?? find(language)
    known.set(language, found)
    return found
  }
}

function viewOf(checkout: CheckoutView): PageView {
  if (checkout.result === null) return 'FORM'
  return checkout.result.outcome === 'BUSY' ? 'BUSY' : 'RESULT'
}

/** A page about nothing: it tells a stranger neither whether a link existed nor whose it was. */
function unavailablePage(bundle: Bundle, merchant: string): PageModel {
  return {
    view: 'UNAVAILABLE',
    payment_link: null,
    test_mode: false,
    logo: null,
    embed_origins: [],
    languages: [],
    notice: null,
    number_style: styleOf(bundle.language),
    checkout: {
      id: null,
      now: null,
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
export function previewText(model: PageModel, strings: Strings): string | null {
  const { terms, language } = model.checkout
  if (terms.amount === null || terms.amount_editable) return null
  const amount = moneyText({ ...terms, amount: terms.amount }, language)
  return translate(strings, language, 'checkout.preview', {
    amount,
    merchant: model.checkout.merchant,
  })
}
