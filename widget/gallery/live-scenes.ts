import { MODELS, model, result } from '../scenes/models.ts'
import { NO_CONTENT_PATH, type PageOrFrame, type Scene, START_TIME } from './scene.ts'

/** The states that only the page's script reaches. */

/** Presses the pay button in any language. */
export const pay = (place: PageOrFrame) => place.locator('button[type=submit]').click()

/** Fills the card's fields in any language. */
export async function fillCard(place: PageOrFrame, number = '4242424242424242'): Promise<void> {
  await place.locator('#field-number').fill(number)
  await place.locator('#field-expiry').fill('1234')
  await place.locator('#field-csc').fill('123')
}

async function fillAndPay(place: PageOrFrame): Promise<void> {
  await fillCard(place)
  await pay(place)
}

const choose = (key: string) => async (place: PageOrFrame) => {
  await place.locator(`input[value="${key}"]`).check()
}

const plain = model()
const withoutMethods = model({}, { methods: [] })
const withoutDefault = model({}, {}, { ...MODELS['form-presets']?.checkout.terms, amount: null })

/** The form during input. */
const TYPING: Readonly<Record<string, Scene>> = {
  'live-card-filled': { model: plain, act: fillCard, until: '.brands > :only-child' },
  'live-errors': {
    model: plain,
    act: async (place) => {
      await place.locator('#field-email').fill('amina@')
      await place.locator('#field-number').fill('4242 4242 4242 4241')
      await pay(place)
    },
    until: '#field-number-error',
  },
  'live-amount-missing': {
    model: MODELS['form-amount'] ?? plain,
    act: pay,
    until: '#field-amount-error',
  },
  'live-amount-ambiguous': {
    model: MODELS['form-amount'] ?? plain,
    act: (place) => place.locator('#field-amount').fill('1,500'),
    until: '.amount-reading',
  },
  'live-presets-missing': {
    model: withoutDefault,
    act: pay,
    until: '#field-amount-error',
  },
  'live-presets-own': {
    model: MODELS['form-presets'] ?? plain,
    act: async (place) => {
      await place.locator('input[value="other"]').check()
      await place.locator('#field-amount').fill('4')
      await pay(place)
    },
    until: '#field-amount-error',
  },
  'live-quantity': {
    model: MODELS['form-quantity'] ?? plain,
    act: (place) => place.locator('#field-quantity').fill('8'),
    until: '.step[aria-disabled]',
  },
  'live-direct-debit': { model: plain, act: choose('sandbox-DIRECT_DEBIT'), until: '#field-iban' },
  'live-direct-debit-errors': {
    model: plain,
    act: async (place) => {
      await choose('sandbox-DIRECT_DEBIT')(place)
      await place.locator('#field-iban').fill('GB35 SAND 0000 0000 0000 78')
      await pay(place)
    },
    until: '#field-iban-error',
  },
  'live-bank-transfer': {
    model: plain,
    act: choose('sandbox-BANK_TRANSFER'),
    until: '.method-fields > .note',
  },
  'live-test-cards': {
    model: plain,
    act: (place) => place.locator('.method-fields summary').click(),
    until: '.test-card',
  },
  'live-details-open': {
    model: plain,
    act: async (place) => {
      await place.locator('.more summary').first().click()
      await place.locator('#field-country').focus()
    },
    until: '#field-line5',
  },
  'live-no-methods': { model: withoutMethods, until: '.section > .note' },
}

/** From the submit on. */
const PAYING: Readonly<Record<string, Scene>> = {
  'live-paying': { model: plain, submit: 'NEVER', act: fillAndPay, until: '.pay .spinner' },
  'live-paying-slow': {
    model: plain,
    submit: 'NEVER',
    act: fillAndPay,
    advanceMs: 10_000,
    until: '.pay .hint',
  },
  'live-unconfirmed': {
    model: plain,
    submit: 'LOST',
    act: fillAndPay,
    until: '.status-card.busy .check-again',
  },
  'live-unconfirmed-stopped': {
    model: plain,
    submit: 'LOST',
    act: fillAndPay,
    advanceMs: 60_000,
    until: '.check-again .note',
  },
  'live-declined': {
    model: plain,
    submit: { outcome: 'DECLINED', message_id: 'errors.declined' },
    act: fillAndPay,
    until: '.notice.problem',
  },
  'live-too-many-attempts': {
    model: plain,
    submit: { errorStatus: 429, headers: { 'Retry-After': '600' } },
    act: fillAndPay,
    until: '.notice.problem',
  },
  'live-refused': {
    model: plain,
    submit: { errorStatus: 400 },
    act: fillAndPay,
    until: '.notice.problem',
  },
  'live-session-expired': {
    model: plain,
    submit: { errorStatus: 401 },
    act: fillAndPay,
    until: '.notice.problem',
  },
  'live-terms-changed': {
    model: plain,
    current: model({}, { options_v: 2 }, { amount: '15.00' }),
    submit: { outcome: 'TERMS_CHANGED', message_id: 'status.terms_changed' },
    act: fillAndPay,
    until: '.notice.news',
  },
  'live-paid': {
    model: plain,
    current: model({ view: 'RESULT' }, { status: 'COMPLETED', result: result() }),
    submit: { outcome: 'COMPLETED' },
    act: fillAndPay,
    until: '.status-card.done',
  },
  'live-remove-saved': {
    model: MODELS['receipt-saved'] ?? plain,
    act: (place) => place.locator('.removal .link').click(),
    until: '.removal .problem',
  },
  'live-to-bank': {
    model: plain,
    submit: { outcome: 'ACTION', action: { type: 'REDIRECT', url: NO_CONTENT_PATH } },
    act: fillAndPay,
    until: '.status-card.busy .button',
  },
  'live-to-merchant': {
    model: plain,
    submit: {
      outcome: 'COMPLETED',
      redirect: 'https://shop.example/thanks',
      return_url: NO_CONTENT_PATH,
    },
    act: fillAndPay,
    until: '.status-card.busy .button',
  },
}

/** Without a connection. */
const OFFLINE: Readonly<Record<string, Scene>> = {
  'live-no-connection': { model: plain, open: 'LOST', until: '.notice.problem' },
  'live-session-renewed': {
    model: model({}, { expires: new Date(Date.parse(START_TIME) + 70_000).toISOString() }),
    act: fillCard,
    advanceMs: 10_000,
    until: '.notice.news',
  },
  'live-pending-offline': {
    model: MODELS['pending'] ?? plain,
    poll: 'LOST',
    until: '.check-again .note',
  },
  'live-pending-stopped': {
    model: MODELS['pending'] ?? plain,
    advanceMs: 60_000,
    until: '.check-again .secondary',
  },
  'script-missing': { model: plain, script: 'MISSING', until: '.delayed' },
}

/** By the name of the picture. */
export const SCRIPT_SCENES: Readonly<Record<string, Scene>> = { ...TYPING, ...PAYING, ...OFFLINE }
