import type { Page } from '@playwright/test'
import type { PageModel, SubmitAnswer } from '../../shared/page-model.ts'
import { themeCss } from '../../server/checkouts/theme.ts'
import { MODELS, model, result } from './models.ts'

/** What a picture shows: a model, what the server answers, and what the payer does. */
export interface Scene {
  model: PageModel
  /** The session after it was opened, where it differs from the model. */
  current?: PageModel
  /** NEVER leaves the request open, LOST breaks the connection. */
  submit?: SubmitAnswer | 'NEVER' | 'LOST'
  open?: 'LOST'
  act?: (page: Page) => Promise<void>
  /** What must be in sight before the picture is taken, as a selector. */
  until?: string
  script?: false
  /** The merchant's theme. */
  css?: string
}

/** An address that answers with nothing to show (204), so that the page that leaves stays. */
export const NOWHERE = '/nowhere'

const pay = (page: Page) => page.locator('button[type=submit]').click()

async function fillCard(page: Page): Promise<void> {
  await page.locator('#field-number').fill('4242424242424242')
  await page.locator('#field-expiry').fill('1234')
  await page.locator('#field-csc').fill('123')
}

async function fillAndPay(page: Page): Promise<void> {
  await fillCard(page)
  await pay(page)
}

const choose = (key: string) => async (page: Page) => {
  await page.locator(`input[value="${key}"]`).check()
}

const plain = MODELS['form'] ?? model()

const branded = model({ logo: '/logo.svg', test_mode: false })

/** The states that the server cannot render, because only the script brings them about. */
const LIVE: Readonly<Record<string, Scene>> = {
  'live-card-filled': { model: plain, act: fillCard, until: '.entry > .brand' },
  'live-errors': {
    model: plain,
    act: async (page) => {
      await page.locator('#field-email').fill('amina@')
      await page.locator('#field-number').fill('4242 4242 4242 4241')
      await pay(page)
    },
    until: '#field-number-error',
  },
  'live-amount-ambiguous': {
    model: MODELS['form-amount'] ?? plain,
    act: (page) => page.locator('#field-amount').fill('1,500'),
    until: '.read-back',
  },
  'live-direct-debit': { model: plain, act: choose('sandbox-DIRECT_DEBIT'), until: '#field-iban' },
  'live-bank-transfer': {
    model: plain,
    act: choose('sandbox-BANK_TRANSFER'),
    until: '.method-fields > .note',
  },
  'live-test-cards': {
    model: plain,
    act: (page) => page.locator('.method-fields summary').click(),
    until: '.test-card',
  },
  'live-details-open': {
    model: plain,
    act: async (page) => {
      await page.locator('.more summary').first().click()
      await page.locator('#field-country').focus()
    },
    until: '#field-line5',
  },
  'live-paying': { model: plain, submit: 'NEVER', act: fillAndPay, until: '.pay .spinner' },
  'live-unsure': {
    model: plain,
    submit: 'LOST',
    act: fillAndPay,
    until: '.sheet.busy .recheck',
  },
  'live-declined': {
    model: plain,
    submit: { outcome: 'DECLINED', message_id: 'errors.declined' },
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
    until: '.sheet.done',
  },
  'live-leaving': {
    model: plain,
    submit: {
      outcome: 'COMPLETED',
      redirect: 'https://shop.example/thanks',
      return_url: NOWHERE,
    },
    act: fillAndPay,
    until: '.sheet.busy .button',
  },
  'live-no-connection': { model: plain, open: 'LOST', until: '.notice.problem:not(.late)' },
  'themed-accent': { model: branded, css: themeCss({ accent: '#ffcc00', radius: '2px' }) },
  'themed-surface': {
    model: branded,
    css: themeCss({ accent: '#7c3aed', surface: '#1e1b2e', text: '#f4f0ff', radius: '18px' }),
    act: fillCard,
  },
  'themed-receipt': {
    model: { ...(MODELS['receipt'] ?? plain), logo: '/logo.svg' },
    css: themeCss({ accent: '#d7263d', surface: '#fff8ee', text: '#3b1d0f' }),
  },
  'script-late': { model: plain, script: false, until: '.late' },
}

/** Every picture by its name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  ...Object.fromEntries(Object.entries(MODELS).map(([name, shown]) => [name, { model: shown }])),
  ...LIVE,
}
