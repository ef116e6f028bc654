import base from '../../locales/default.json' with { type: 'json' }
import { exhaustedStrings } from '../../shared/rules/exhausted-strings.ts'
import { fillCard, pay } from './live-scenes.ts'
import { MODELS, model, result } from '../scenes/models.ts'
import { OWED_MODELS } from '../scenes/owed-models.ts'
import type { PageOrFrame, Scene } from './scene.ts'

/** Links that many payers use, and what became of charges meanwhile. */

const DEEP_LINK = '/go/village-hall'
const strings = exhaustedStrings(base)
const poster = MODELS['form-presets'] ?? model()
const charges = OWED_MODELS['form-charges'] ?? model()

async function fillAndPay(place: PageOrFrame): Promise<void> {
  await fillCard(place)
  await pay(place)
}

/** The page of charges after the server has said that only the last of them are left. */
function leaving(left: number, amount: string, until: string): Scene {
  const { terms } = charges.checkout
  const all = terms.charges ?? []
  const now = { ...terms, amount, charges: all.slice(all.length - left) }
  return {
    model: charges,
    current: { ...charges, checkout: { ...charges.checkout, terms: now } },
    submit: { outcome: 'TERMS_CHANGED', message_id: 'status.terms_changed' },
    act: fillAndPay,
    until,
  }
}

const ended = { sessions: null, test_mode: false } as const

/** By the name of the picture. */
export const DEEP_LINK_SCENES: Readonly<Record<string, Scene>> = {
  'deep-link-exhausted': { model: model({ ...ended, view: 'UNAVAILABLE' }, { strings }) },
  'deep-link-expired': { model: model({ ...ended, view: 'EXPIRED' }, { status: 'EXPIRED' }) },
  'deep-link-archived': { model: model({ ...ended, view: 'UNAVAILABLE' }) },
  'deep-link-receipt': {
    model: model(
      { view: 'RESULT' },
      {
        status: 'COMPLETED',
        deep_link: DEEP_LINK,
        result: result({ redirect: null, alt_key: null, amount: '25.00' }),
      },
      { name: 'Roof of the village hall' },
    ),
  },
  'live-deep-link-used-up': {
    model: { ...poster, checkout: { ...poster.checkout, strings } },
    submit: { outcome: 'GONE' },
    act: fillAndPay,
    until: '.status-card.info',
  },
  'live-charges-changed': leaving(2, '130.00', '.notice.news'),
  'live-charges-settled': leaving(0, '0.00', '.status-card.info'),
}
