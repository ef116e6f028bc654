import type { PageModel } from '../../shared/page-model.ts'
import { exhaustedStrings } from '../../shared/rules/exhausted-strings.ts'
import type { Bundle } from '../strings/bundle.ts'
import { cachedNumberStyle } from './language-names.ts'

/**
 * Returns a bundle whose sentences about an unavailable link are those of a deep link without uses left.
 * The page then needs neither a view of its own for it, nor the strings of one.
 */
export function exhaustedBundle(bundle: Bundle): Bundle {
  const made = exhaustedBundles.get(bundle) ?? {
    ...bundle,
    strings: exhaustedStrings(bundle.strings),
  }
  exhaustedBundles.set(bundle, made)
  return made
}

const exhaustedBundles = new WeakMap<Bundle, Bundle>()

/** Returns a page without any data of a link, so that it does not reveal whether one existed. */
export function unavailablePage(bundle: Bundle, merchant: string): PageModel {
  return {
    view: 'UNAVAILABLE',
    sessions: null,
    test_mode: false,
    logo: null,
    embed_origins: [],
    languages: [],
    notice: null,
    number_style: cachedNumberStyle(bundle.language),
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
