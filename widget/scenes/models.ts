import base from '../../locales/default.json' with { type: 'json' }
import type { CheckoutResult, CheckoutView, PageModel } from '../../shared/page-model.ts'

/** A page model for every state that the server renders. */

const TERMS: CheckoutView['terms'] = {
  name: 'Spring order 1042',
  intro: null,
  amount: '12.50',
  amount_editable: false,
  currency: 'EUR',
  currency_digits: 2,
  alt_key: 'INV-2031-1042',
  alt_key_editable: false,
  description: null,
  description_editable: false,
  comment_allowed: false,
  expires: null,
}

const CHECKOUT: CheckoutView = {
  id: null,
  now: null,
  payment_link: 'pl_mb3k9x2q_9fK2bLq0TzXw7RmN4cVd1HsA',
  merchant: 'Atelier Nord',
  status: 'OPEN',
  options_v: 1,
  expires: null,
  language: 'default',
  direction: 'ltr',
  branding: null,
  timezone: 'Europe/Paris',
  strings_hash: '0'.repeat(64),
  strings: base,
  terms: TERMS,
  details: { needed: true, prefill: {} },
  save_card: { show: true, initial: false, consent: false },
  methods: [
    { type: 'CARD', processor: 'sandbox', storable: true, token_first: false, async: false },
    { type: 'DIRECT_DEBIT', processor: 'sandbox', storable: true, token_first: true, async: true },
    {
      type: 'BANK_TRANSFER',
      processor: 'sandbox',
      storable: false,
      token_first: false,
      async: true,
    },
  ],
  saved_methods: [],
  result: null,
}

const RESULT: CheckoutResult = {
  outcome: 'COMPLETED',
  reference: 'K7QX-4M2P',
  alt_key: 'INV-2031-1042',
  amount: '12.50',
  currency: 'EUR',
  currency_digits: 2,
  date: '2031-03-14T15:09:26.000Z',
  redirect: 'https://shop.example/thanks',
  transaction: 'txn_mb3k9x2q_4c1',
  account: 'acc_mb3k9x2q_9aa',
  skip_receipt: false,
  message: null,
  message_id: null,
  receipt_to: null,
  method: { type: 'CARD', brand: 'visa', last4: '4242' },
  action: null,
}

const MODEL: PageModel = {
  view: 'FORM',
  sessions: `/pay/${CHECKOUT.payment_link}/checkouts`,
  test_mode: true,
  logo: null,
  embed_origins: [],
  languages: [],
  notice: null,
  number_style: { decimal: '.', group: ',' },
  checkout: CHECKOUT,
}

/** A model that differs from the plain form in the named parts only. */
export function model(
  changes: Partial<Omit<PageModel, 'checkout'>> = {},
  checkout: Partial<CheckoutView> = {},
  terms: Partial<CheckoutView['terms']> = {},
): PageModel {
  return {
    ...MODEL,
    ...changes,
    checkout: { ...CHECKOUT, ...checkout, terms: { ...TERMS, ...terms } },
  }
}

/** A result that differs from a paid one in the named parts only. */
export function result(changes: Partial<CheckoutResult> = {}): CheckoutResult {
  return { ...RESULT, ...changes }
}

const VISA: CheckoutView['saved_methods'][number] = {
  id: 'pm_1_a',
  type: 'CARD',
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2033,
}

const onlyCard = CHECKOUT.methods.slice(0, 1)

const ofStripe = (type: string, more: object = {}): CheckoutView['methods'][number] => ({
  type,
  processor: 'pr_gallery',
  storable: false,
  token_first: false,
  async: false,
  ...more,
})

const framedCard = ofStripe('CARD', { storable: true, fields: 'FRAMES' })

/** A page with the methods of a connected Stripe. */
export const STRIPE_MODEL = model(
  {},
  {
    methods: [
      framedCard,
      ofStripe('DIRECT_DEBIT', { storable: true, async: true, needs: ['email'] }),
      ofStripe('IDEAL', { needs: ['name'] }),
      ofStripe('BANCONTACT', { needs: ['name'] }),
      ofStripe('EPS', { needs: ['name'] }),
      ofStripe('PRZELEWY', { needs: ['email'] }),
    ],
  },
)

/** A page whose only method is a card of Stripe. */
export const STRIPE_CARD_MODEL = model({ test_mode: false }, { methods: [framedCard] })

/** A page with a saved card of Stripe. */
export const STRIPE_SAVED_MODEL = model(
  {},
  {
    details: { needed: false, prefill: {} },
    methods: [framedCard],
    saved_methods: [{ ...VISA, processor: 'pr_gallery', csc: 'TOKEN' }],
  },
)

/** Every state by the name of its picture. */
export const MODELS: Readonly<Record<string, PageModel>> = {
  form: model(),
  'form-live-one-method': model({ test_mode: false }, { methods: onlyCard }),
  'form-rich': model(
    {},
    {
      details: {
        needed: true,
        prefill: {
          first_name: 'Amina',
          last_name: 'Okafor',
          email: 'amina@example.com',
          phone: '+33 1 23 45 67 89',
          address: {
            line1: '12 rue des Lilas',
            line4: 'Lyon',
            line5: '69003',
            country: 'FR',
          },
        },
      },
      save_card: { show: false, initial: true, consent: true },
      methods: CHECKOUT.methods.slice(0, 2),
    },
    {
      name: 'Ceramics workshop, two places on Saturday morning',
      intro: 'Thank you for booking.\nThe workshop begins at ten; clay and tea are included.',
      description: 'Two places, 14 March',
      comment_allowed: true,
      expires: '2031-03-20T17:00:00.000Z',
      amount: '1240.00',
    },
  ),
  'form-amount': model(
    {},
    {},
    {
      name: 'Atelier Nord',
      amount: null,
      amount_editable: true,
      alt_key: null,
      alt_key_editable: true,
      description_editable: true,
    },
  ),
  'form-presets': model(
    {},
    {},
    {
      name: 'Roof of the village hall',
      amount: '25.00',
      amount_editable: true,
      alt_key: null,
      choice: {
        amount_min: '5.00',
        amount_max: '2000.00',
        amount_presets: ['10.00', '25.00', '50.00', '100.00'],
      },
    },
  ),
  'form-bounds': model(
    {},
    {},
    { amount: null, amount_editable: true, alt_key: null, choice: { amount_min: '5.00' } },
  ),
  'form-quantity': model(
    {},
    {},
    {
      name: 'Concert in the park',
      amount: '12.50',
      amount_editable: true,
      alt_key: null,
      choice: { unit_amount: '12.50', quantity_max: 8 },
    },
  ),
  'form-saved': model(
    {
      languages: ['de', 'default', 'fr'],
    },
    {
      details: { needed: false, prefill: {} },
      saved_methods: [
        VISA,
        {
          id: 'pm_1_b',
          type: 'CARD',
          brand: 'mastercard',
          last4: '4444',
          exp_month: 4,
          exp_year: 2032,
        },
      ],
    },
  ),
  'form-long': model(
    { languages: ['de', 'default', 'fr'], test_mode: false },
    {
      merchant: 'Gesellschaft für Veranstaltungstechnikvermietung und Bühnenbau mbH',
      save_card: { show: true, initial: true, consent: false },
    },
    {
      name: 'Beleuchtungsanlage, Donaudampfschifffahrtsgesellschaftskapitänsempfang, drei Tage',
      amount: '987654321.00',
      currency: 'IDR',
      alt_key: 'https://shop.example/orders/2031/03/14/0f8fad5b-d9cb-469f-a165-70867728950e',
      expires: '2031-03-20T17:00:00.000Z',
    },
  ),
  declined: model({ notice: 'errors.insufficient_funds' }),
  'bank-refused': model({ notice: 'errors.authentication_failed' }),
  receipt: model({ view: 'RESULT' }, { status: 'COMPLETED', result: result() }),
  'receipt-mailed': model(
    { view: 'RESULT' },
    { status: 'COMPLETED', result: result({ receipt_to: '\u2068a•••@example.com\u2069' }) },
  ),
  'receipt-saved': model(
    { view: 'RESULT' },
    {
      status: 'COMPLETED',
      result: result(),
      saved_methods: [{ ...VISA, removable: true }],
    },
  ),
  'receipt-quantity': model(
    { view: 'RESULT' },
    {
      status: 'COMPLETED',
      result: result({
        amount: '37.50',
        quantity: 3,
        unit_amount: '12.50',
        description: 'Seats in the third row, near the aisle',
      }),
    },
    { name: 'Concert in the park' },
  ),
  'receipt-message': model(
    { view: 'RESULT', test_mode: false },
    {
      status: 'COMPLETED',
      result: result({
        redirect: null,
        method: null,
        message: 'See you on Saturday! Bring an apron.',
      }),
    },
  ),
  pending: model(
    { view: 'RESULT' },
    {
      status: 'PENDING',
      result: result({
        outcome: 'PENDING',
        message_id: 'receipt.pending',
        method: { type: 'DIRECT_DEBIT', brand: null, last4: '0077' },
      }),
    },
  ),
  'pending-bank-transfer': model(
    { view: 'RESULT', test_mode: false },
    {
      status: 'PENDING',
      result: result({
        outcome: 'PENDING',
        redirect: null,
        message: 'We will pack your order as soon as your bank has told us.',
        method: { type: 'BANK_TRANSFER', brand: null, last4: null },
      }),
    },
  ),
  'paid-before': model(
    { view: 'RESULT' },
    { status: 'COMPLETED', result: result({ redirect: null, method: null }) },
  ),
  checking: model(
    { view: 'RESULT' },
    {
      status: 'SUBMITTED',
      result: result({ outcome: 'CHECKING', redirect: null, message_id: 'status.checking' }),
    },
  ),
  bank: model(
    { view: 'RESULT' },
    {
      status: 'SUBMITTED',
      result: result({
        outcome: 'ACTION',
        redirect: null,
        action: { type: 'REDIRECT', url: 'https://bank.example/confirm' },
      }),
    },
  ),
  busy: model({ view: 'BUSY' }, { result: result({ outcome: 'BUSY', reference: null }) }),
  expired: model({ view: 'EXPIRED' }, { status: 'EXPIRED' }, { expires: '2031-03-01T17:00:00Z' }),
  unavailable: model(
    { view: 'UNAVAILABLE', sessions: null, test_mode: false },
    { merchant: '', payment_link: null },
  ),
}
