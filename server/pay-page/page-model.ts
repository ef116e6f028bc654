import type { Instance } from '../db/tables/instances.ts'
import type { CheckoutView, FramedProcessor, PageModel, PageView } from '../../shared/page-model.ts'
import { moneyText } from '../../shared/rules/display.ts'
import { type Strings, translate } from '../../shared/rules/wording.ts'
import { readTerms } from '../checkouts/charges.ts'
import { allowedOrigins } from '../checkouts/embed-origin.ts'
import { resolveCurrency } from '../checkouts/resolve-terms.ts'
import { resolveLocale } from '../checkouts/resolve-locale.ts'
import { findShownEntity, resolveLinkPayee } from '../checkouts/payee.ts'
import { usableProcessors } from '../checkouts/usable-processors.ts'
import { buildCheckoutView } from '../checkouts/view.ts'
import {
  findPayerLink,
  type LinkAddress,
  type PayerLink,
  payerPath,
} from '../deep-links/payer-link.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { brandingOfChannel, brandingsOf, nameOf } from '../instances/brandings.ts'
import { type LegalEntityContent, legalNames } from '../legal-entities/content.ts'
import type { Payee } from '../legal-entity-routes/resolve.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { isUnavailable, linkPayability } from '../payment-links/payability.ts'
import { offeredMethods } from '../processors/offered.ts'
import type { PageFields, Processor } from '../processors/port.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { defaultBundle, getBundle } from '../strings/bundle.ts'
import { nameLegalEntity } from '../strings/named-bundle.ts'
import { bundleForLink } from '../strings/trial-bundle.ts'
import { DEFAULT_CATALOG } from '../strings/default-catalog.ts'
import {
  chooseLanguage,
  getOfferedLanguages,
  type LanguagePreferences,
} from '../strings/languages.ts'
import type { StringScope } from '../../shared/rules/inherit.ts'
import { cachedNumberStyle, sortByOwnName } from './language-names.ts'
import { formStrings } from './page-strings.ts'
import { findReturnNotice } from './return.ts'
import { DEFAULT_THEME, type PageTheme, pageTheme } from './theme.ts'
import { exhaustedBundle, unavailablePage } from './unavailable-page.ts'

/** What the server renders of a link before any script runs. */
export interface FirstView {
  status: 200 | 404 | 410
  /** Path of the page of a link that can be paid. */
  path?: string
  theme: () => PageTheme
  /** All strings of the page. A form's document carries only those that it may need at once. */
  strings: Strings
  /** Equal keys mean equal models; undefined where the model depends on more, such as a payment. */
  cacheKey?: string | undefined
  model: () => PageModel | Promise<PageModel>
  /** What the scripts of processors need from the Content-Security-Policy. */
  policies?: () => PageFields['policy'][]
}

/** Builds the first view of a link. Writes nothing, so that link previews leave no trace. */
export async function buildFirstView(
  deps: Deps,
  address: LinkAddress,
  request: {
    /** The handle with which the payer returns from a bank. */
    handle: string | undefined
    branding?: string | undefined
    preferences: LanguagePreferences
  },
): Promise<FirstView> {
  const { handle, preferences } = request
  const payerLink = await findPayerLink(deps.db, address)
  if (!payerLink) return unknownLinkView(preferences)
  const { link, instance, deepLink } = payerLink
  const { options } = await readTerms(deps.db, link)
  const branding = resolveBranding(instance, options.channel, request.branding)
  const locale = await resolveLocale(deps, instance, link, { branding, preferences })
  const currency = resolveCurrency(instance, options, undefined)
  const payee = await resolveLinkPayee(deps, instance, link, { branding, currency })
  const legalEntity = await findShownEntity(deps, { instance, link }, payee)
  const wording = await getBundle(deps, instance, locale)
  const names = legalNames(legalEntity, nameOf(instance, branding))
  const bundle = nameLegalEntity(bundleForLink(wording, options), names)
  const theme = () => withLogo(pageTheme(instance, branding), legalEntity)
  const languages = await getOfferedLanguages(deps, instance)
  const frame = () => ({
    logo: theme().logo,
    embed_origins: allowedOrigins(instance),
    test_mode: instance.mode === 'TEST',
    languages: sortByOwnName(languages),
  })
  const payability = linkPayability(payerLink, {
    now: withClockOf(instance, deps.now),
    currency,
  })
  if (isUnavailable(payability)) {
    const view = payability === 'EXPIRED' ? 'EXPIRED' : 'UNAVAILABLE'
    const named = nameLegalEntity(wording, names)
    const ended = payability === 'EXHAUSTED' ? exhaustedBundle(named) : named
    const page = () => unavailablePage(ended, nameOf(instance, branding))
    return {
      status: 410,
      theme,
      strings: ended.strings,
      cacheKey: [
        payability === 'EXHAUSTED' ? payability : view,
        instance.id,
        payee?.entity.version,
        ...appearanceKey(instance, locale),
      ].join(' '),
      model: () => ({ ...page(), ...frame(), view }),
    }
  }
  const through = payee?.processor ?? null
  const processors = await usableProcessors(deps, instance, through)
  // A link that is being paid may be payable again while the page is open.
  const framing =
    payability === 'PAYMENT_SUCCESS' ? [] : framingProcessors(processors, instance, options)
  // A page that its address fills in is not cached, because everybody can make such addresses.
  const isCached = handle === undefined && !('prefill' in address && address.prefill)
  const isPaid = payability === 'PAYMENT_PENDING' || payability === 'PAYMENT_SUCCESS'
  return {
    status: 200,
    path: payerPath(payerLink),
    theme,
    strings: bundle.strings,
    cacheKey: isCached ? formKey(payerLink, locale, { processors, payee }) : undefined,
    policies: () => framing.map(({ page }) => page.policy),
    async model() {
      const source = {
        ...payerLink,
        bundle: deepLink ? exhaustedBundle(bundle) : bundle,
        locale,
        handle,
        legalEntity,
        processor: through,
      }
      const checkout = await withClockOf(instance, () => buildCheckoutView(deps, source))
      const view = pageView(checkout)
      const notice = isPaid ? null : await findReturnNotice(deps, link.id, handle)
      const framable = allowedOrigins(instance).length > 0
      return {
        view,
        sessions: sessionsPath(payerLink, address),
        ...frame(),
        notice,
        number_style: cachedNumberStyle(bundle.language),
        ...(framing.length > 0 && { processors: framedProcessors(framing) }),
        checkout:
          view === 'FORM'
            ? { ...checkout, strings: formStrings(checkout, notice, framable) }
            : checkout,
      }
    },
  }
}

/** Returns the view of an unknown link or return handle, in the language of the request. */
export function unknownLinkView(preferences: LanguagePreferences): FirstView {
  const languages = Object.keys(DEFAULT_CATALOG)
  const language = chooseLanguage(preferences, languages)
  const bundle = defaultBundle(language)
  return {
    status: 404,
    theme: () => DEFAULT_THEME,
    strings: bundle.strings,
    cacheKey: `unknown ${language}`,
    model: () => ({ ...unavailablePage(bundle, ''), languages: sortByOwnName(languages) }),
  }
}

/**
 * Returns the cache key of a link's form, or undefined once a payment has started, and for a link
 * with a fixed account, whose form shows saved methods. Version counters stand for what they count.
 */
function formKey(
  { link, instance, deepLink }: PayerLink,
  scope: StringScope,
  { processors, payee }: { processors: readonly Processor[]; payee: Payee | undefined },
): string | undefined {
  const hasPayment = link.status !== 'ACTIVE' || link.claim !== null || link.payment_id !== null
  if (hasPayment || typeof parseLinkContent(link).options.account === 'string') return undefined
  const { id, options_v, expires } = link
  const offering = processors.map(numberOf).join('+')
  const address = deepLink && (deepLink.slug ?? deepLink.id)
  const entity = payee?.entity.version
  const content = [id, address, options_v, expires, offering, entity]
  return [...content, ...appearanceKey(instance, scope)].join(' ')
}

const numbers = new WeakMap<Processor, number>()
let numbered = 0

/** Returns the number of an adapter. A connection that changes gets another adapter. */
function numberOf(processor: Processor): number {
  const number = numbers.get(processor) ?? (numbered += 1)
  numbers.set(processor, number)
  return number
}

/** The logo of the legal entity is shown where the branding has none. */
function withLogo(theme: PageTheme, legalEntity: LegalEntityContent | undefined): PageTheme {
  return { ...theme, logo: theme.logo ?? legalEntity?.logo ?? null }
}

type FramingProcessor = Processor & { page: PageFields }

/** Returns the processors whose script takes the number of a method that the link offers. */
function framingProcessors(
  processors: readonly Processor[],
  instance: Instance,
  options: PaymentLinkOptions,
): FramingProcessor[] {
  const currency = resolveCurrency(instance, options, undefined)
  const framed = new Set(
    offeredMethods(processors, instance.mode, options, currency)
      .filter(({ fields, type }) => fields === 'FRAMES' || type === 'DIRECT_DEBIT')
      .map(({ processor }) => processor),
  )
  return processors.filter(
    (processor): processor is FramingProcessor =>
      processor.page !== undefined && framed.has(processor.id),
  )
}

export function framedProcessors(framing: readonly FramingProcessor[]): PageModel['processors'] {
  const entries = framing.map(({ id, page }) => {
    const { name, publishable_key, account, script } = page
    const processor: FramedProcessor = { name, key: publishable_key, script }
    return [id, account === undefined ? processor : { ...processor, account }] as const
  })
  return Object.fromEntries(entries)
}

/** Returns what strings, languages and theme of a page depend on. */
function appearanceKey({ v, strings_version }: Instance, { language, branding }: StringScope) {
  return [v, strings_version, language, branding]
}

/** Returns the key of the requested branding if it exists, else of the link's channel. */
function resolveBranding(
  instance: Instance,
  channel: string | null | undefined,
  requested: string | undefined,
): string {
  const branding = brandingsOf(instance).find(({ key }) => key === requested)
  return (branding ?? brandingOfChannel(instance, channel))?.key ?? ''
}

function pageView(checkout: CheckoutView): PageView {
  if (checkout.result === null) return 'FORM'
  return checkout.result.outcome === 'BUSY' ? 'BUSY' : 'RESULT'
}

/** Returns the description for link previews: the amount, where it is fixed. */
export function previewText(model: PageModel, strings: Strings): string | null {
  const { terms, language } = model.checkout
  if (terms.amount === null || terms.amount_editable || terms.charges?.length === 0) return null
  const amount = moneyText({ ...terms, amount: terms.amount }, language)
  return translate(strings, language, 'checkout.preview', {
    amount,
    merchant: model.checkout.merchant,
  })
}

/** Returns where the page opens its session, with what its address fills in. */
function sessionsPath(payerLink: PayerLink, address: LinkAddress): string {
  const prefill = 'prefill' in address ? address.prefill : null
  const query = prefill ? `?${new URLSearchParams({ ...prefill }).toString()}` : ''
  return `${payerPath(payerLink)}/checkouts${query}`
}
