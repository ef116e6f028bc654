import type { PageModel } from '../../shared/page-model.ts'
import type { SceneGroup } from '../../shared/preview-messages.ts'
import { exhaustedStrings } from '../../shared/rules/exhausted-strings.ts'
import { trialStrings } from '../../shared/rules/trial-strings.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { FieldName } from '../page/fields.ts'
import type { PayPage } from '../page/page-context.ts'
import type { Notice } from '../page/store.ts'
import type { StringId } from '../page/translator.ts'
import { ENTITY_MODELS } from './entity-models.ts'
import {
  MODELS,
  model,
  result,
  STRIPE_CARD_MODEL,
  STRIPE_MODEL,
  STRIPE_SAVED_MODEL,
} from './models.ts'
import { OWED_MODELS } from './owed-models.ts'

/**
 * The states of the payer's page as data: what the server sends, and what the page's signals hold then.
 * Every sentence that a payer can be shown is in one of them.
 */

export interface Scene {
  group: SceneGroup
  model: PageModel
  /** What the server puts in the place of other strings. */
  strings?: (strings: Strings) => Strings
  /** The page is embedded in a merchant's page. */
  framed?: boolean
  set?: (page: PayPage) => void
}

const of = (group: SceneGroup, models: Readonly<Record<string, PageModel>>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { group, model: models[name] ?? model() }]))

const plain = model()

/** What the errors below each field may say. */
const FIELD_ERRORS: Partial<Record<FieldName, StringId[]>> = {
  first_name: ['details.name_missing', 'errors.check_field'],
  email: ['details.email_invalid'],
  number: ['card.number_missing', 'card.number_incomplete', 'card.number_invalid'],
  expiry: [
    'card.expiry_missing',
    'card.expiry_incomplete',
    'card.expiry_month',
    'card.expiry_past',
    'card.expiry_far',
  ],
  csc: [
    'card.code_missing',
    'card.code_invalid',
    'card.code_three_digits',
    'card.code_four_digits',
  ],
  iban: ['methods.iban_missing', 'methods.iban_invalid'],
  holder: ['methods.holder_missing'],
  amount: [
    'checkout.amount_missing',
    'checkout.amount_invalid',
    'checkout.amount_zero',
    'checkout.amount_currency',
    'checkout.amount_between',
    'checkout.amount_least',
    'checkout.amount_most',
  ],
}

const ERROR_VALUES = { currency: 'EUR', min: '€5.00', max: '€2,000.00' }

/** The form with the error of each field that is at `turn` in its list. */
function errors(shown: PageModel, fields: FieldName[], turn: number): Scene {
  return {
    group: 'wrong',
    model: shown,
    set({ form, checkout }) {
      const found = fields.flatMap((name) => {
        const id = FIELD_ERRORS[name]?.[turn]
        return id === undefined ? [] : [[name, { id, values: ERROR_VALUES }] as const]
      })
      form.errors.value = Object.fromEntries(found)
      checkout.announcement.value = { id: 'status.fields', values: { count: found.length } }
    },
  }
}

const turns = (prefix: string, shown: PageModel, fields: FieldName[], choose?: string) => {
  const most = Math.max(...fields.map((name) => FIELD_ERRORS[name]?.length ?? 0))
  return Object.fromEntries(
    Array.from({ length: most }, (_, turn) => {
      const { set, ...scene } = errors(shown, fields, turn)
      const chosen = (page: PayPage) => {
        if (choose !== undefined) page.form.chosenKey.value = choose
        set?.(page)
      }
      return [turn === 0 ? prefix : `${prefix}-${turn + 1}`, { ...scene, set: chosen }]
    }),
  )
}

/** The message above the form. */
const notice = (group: SceneGroup, tone: Notice['tone'], id: StringId): [string, Scene] => [
  `notice-${id.replace(/^.*\./, '').replaceAll('_', '-')}`,
  { group, model: plain, set: ({ checkout }) => (checkout.notice.value = { tone, id }) },
]

const PROBLEMS: StringId[] = [
  'errors.declined',
  'errors.insufficient_funds',
  'errors.expired_card',
  'errors.authentication_failed',
  'errors.cancelled',
  'errors.not_accepted',
  'errors.processor_error',
  'errors.too_many_attempts',
  'errors.session_expired',
  'errors.no_connection',
]

const NEWS: StringId[] = [
  'status.terms_changed',
  'status.amount_changed',
  'status.session_renewed',
  'status.free_again',
  'status.loading_fields',
  'methods.fields_lost',
  'status.stay',
]

const choose = (key: string, shown = plain): Scene => ({
  group: 'form',
  model: shown,
  set: ({ form }) => (form.chosenKey.value = key),
})

const amount = MODELS['form-amount'] ?? plain
const presets = MODELS['form-presets'] ?? plain
const debit = 'sandbox-DIRECT_DEBIT'

const rich = MODELS['form-rich'] ?? plain
const { prefill } = rich.checkout.details

/** A form whose customer is known with an address of three lines. */
const known = {
  ...rich,
  checkout: {
    ...rich.checkout,
    details: {
      needed: true,
      prefill: { ...prefill, address: { ...prefill.address, line3: 'Bâtiment C' } },
    },
  },
}

const accountSaved = model(
  {},
  {
    details: { needed: false, prefill: {} },
    saved_methods: [
      {
        id: 'pm_1_c',
        type: 'DIRECT_DEBIT',
        brand: null,
        last4: '3000',
        exp_month: null,
        exp_year: null,
      },
    ],
  },
)

type Recurring = NonNullable<PageModel['checkout']['terms']['recurring']>

/** Contracts of each frequency, every one and every second time. */
const frequencies = Object.fromEntries(
  (['DAY', 'WEEK', 'MONTH', 'YEAR'] as const).flatMap((frequency) =>
    [1, 2].map((interval): [string, Scene] => {
      const recurring: Recurring = { frequency, interval, count: null, until: null }
      const shown = OWED_MODELS['form-recurring'] ?? plain
      const { checkout } = shown
      const name = `form-every-${frequency.toLowerCase()}${interval === 1 ? '' : '-2'}`
      const terms = { ...checkout.terms, recurring }
      return [name, { group: 'form', model: { ...shown, checkout: { ...checkout, terms } } }]
    }),
  ),
)

/** A page on which a free trial begins. */
const trial = (group: SceneGroup, shown: PageModel, set?: Scene['set']): Scene => ({
  group,
  model: shown,
  strings: trialStrings,
  ...(set && { set }),
})

const trialForm = OWED_MODELS['form-trial'] ?? plain

/** The same with one free day, at a link that has the name of its merchant. */
const trialDay = {
  ...trialForm,
  checkout: {
    ...trialForm.checkout,
    terms: {
      ...trialForm.checkout.terms,
      name: trialForm.checkout.merchant,
      recurring: {
        frequency: 'WEEK',
        interval: 1,
        count: null,
        until: null,
        trial_days: 1,
      } satisfies Recurring,
    },
  },
}

const FORM: Readonly<Record<string, Scene>> = {
  ...of('form', MODELS, ['form']),
  'form-rich': { group: 'form', model: known },
  ...of('form', MODELS, ['form-amount', 'form-presets', 'form-quantity']),
  'form-amount-read': {
    group: 'form',
    model: amount,
    set: ({ form }) => form.enter('amount', '1,500'),
  },
  'form-own-amount': {
    group: 'form',
    model: presets,
    set: ({ form }) => (form.values.preset.value = 'other'),
  },
  'form-quantity-most': {
    group: 'form',
    model: MODELS['form-quantity'] ?? plain,
    set: ({ form }) => (form.values.quantity.value = '8'),
  },
  ...of('form', MODELS, ['form-saved']),
  'form-account-saved': { group: 'form', model: accountSaved },
  'form-details': {
    group: 'form',
    model: plain,
    set: ({ form }) => {
      form.addressOpen.value = true
      form.values.country.value = 'US'
    },
  },
  'form-card': {
    group: 'form',
    model: plain,
    set: ({ form }) => {
      form.values.number.value = '4242 4242 4242 4242'
      form.values.expiry.value = '12 / 34'
    },
  },
  'form-amex': {
    group: 'form',
    model: plain,
    set: ({ form }) => (form.values.number.value = '3782 822463 10005'),
  },
  'form-test-cards': {
    group: 'form',
    model: plain,
    set: ({ form }) => (form.testCardsOpen.value = true),
  },
  'form-direct-debit': choose(debit),
  'form-save-hint': {
    group: 'form',
    model: plain,
    set: ({ form }) => (form.saveCard.value = true),
  },
  'form-bank-transfer': choose('sandbox-BANK_TRANSFER'),
  'form-stripe-debit': choose('pr_gallery-DIRECT_DEBIT', STRIPE_MODEL),
  'form-stripe-card': choose('pr_gallery-CARD', STRIPE_MODEL),
  'form-stripe-saved': { group: 'form', model: STRIPE_SAVED_MODEL },
  'form-stripe-blocked': { group: 'wrong', model: STRIPE_CARD_MODEL, framed: true },
  'form-no-methods': { group: 'form', model: model({}, { methods: [] }) },
  ...of('form', OWED_MODELS, ['form-charges', 'form-recurring', 'form-recurring-until']),
  ...frequencies,
  'form-trial': trial('form', trialForm),
  'form-trial-day': trial('form', trialDay),
  ...of('form', ENTITY_MODELS, ['form-entity']),
}

const WRONG: Readonly<Record<string, Scene>> = {
  ...turns('errors', plain, ['first_name', 'email', 'number', 'expiry', 'csc']),
  ...turns('errors-direct-debit', plain, ['iban', 'holder'], debit),
  ...turns('errors-amount', amount, ['amount']),
  ...Object.fromEntries(PROBLEMS.map((id) => notice('wrong', 'problem', id))),
}

const paying = (slow: boolean): Scene => ({
  group: 'paying',
  model: plain,
  set({ checkout }) {
    checkout.step.value = 'submitting'
    checkout.slow.value = slow
    checkout.announcement.value = { id: slow ? 'status.slow' : 'status.paying' }
  },
})

const unconfirmed = (state: 'open' | 'failing' | 'stopped'): Scene => ({
  group: 'paying',
  model: plain,
  set({ checkout }) {
    checkout.step.value = 'unconfirmed'
    checkout.connection.value = state === 'failing' ? 'failing' : 'open'
    checkout.pollingStopped.value = state === 'stopped'
  },
})

const redirect = (to: 'BANK' | 'MERCHANT'): Scene => ({
  group: 'paying',
  model: plain,
  set: ({ checkout }) => (checkout.step.value = { url: '#', to }),
})

const stopped = (name: string): Scene => ({
  group: 'paying',
  model: MODELS[name] ?? plain,
  set: ({ checkout }) => (checkout.pollingStopped.value = true),
})

const PAYING: Readonly<Record<string, Scene>> = {
  paying: paying(false),
  'paying-trial': trial('paying', trialForm, ({ checkout }) => {
    checkout.step.value = 'submitting'
  }),
  'checking-trial': trial('paying', OWED_MODELS['checking-trial'] ?? plain),
  'paying-slow': paying(true),
  ...Object.fromEntries(NEWS.map((id) => notice('paying', 'news', id))),
  'to-bank': redirect('BANK'),
  ...of('paying', MODELS, ['bank', 'checking']),
  'checking-later': stopped('checking'),
  unconfirmed: unconfirmed('open'),
  'unconfirmed-offline': unconfirmed('failing'),
  'unconfirmed-later': unconfirmed('stopped'),
  ...of('paying', MODELS, ['busy']),
  'busy-later': stopped('busy'),
  'to-merchant': redirect('MERCHANT'),
}

const removal = (step: 'ASKING' | 'FAILED' | 'REMOVED'): Scene => ({
  group: 'after',
  model: MODELS['receipt-saved'] ?? plain,
  set: ({ checkout }) => (checkout.removal.value = step),
})

const AFTER: Readonly<Record<string, Scene>> = {
  ...of('after', MODELS, ['receipt', 'receipt-mailed', 'receipt-saved', 'receipt-quantity']),
  'remove-saved': removal('ASKING'),
  'remove-failed': removal('FAILED'),
  'remove-done': removal('REMOVED'),
  ...of('after', MODELS, ['pending', 'pending-bank-transfer']),
  'pending-later': { ...stopped('pending'), group: 'after' },
  ...of('after', OWED_MODELS, ['receipt-charges', 'receipt-recurring']),
  'receipt-trial': trial('after', OWED_MODELS['receipt-trial'] ?? plain),
  ...of('after', ENTITY_MODELS, ['receipt-entity', 'receipt-entity-long']),
  'receipt-again': {
    group: 'after',
    model: model(
      { view: 'RESULT' },
      {
        status: 'COMPLETED',
        deep_link: '/go/village-hall',
        result: result({ redirect: null, alt_key: null, amount: '25.00' }),
      },
    ),
  },
}

const CLOSED: Readonly<Record<string, Scene>> = {
  ...of('closed', MODELS, ['expired']),
  'expired-undated': { group: 'closed', model: model({ view: 'EXPIRED' }, { status: 'EXPIRED' }) },
  ...of('closed', MODELS, ['unavailable']),
  exhausted: {
    group: 'closed',
    model: model({ view: 'UNAVAILABLE', sessions: null, test_mode: false }),
    strings: exhaustedStrings,
  },
  ...of('closed', OWED_MODELS, ['nothing-due']),
  'script-missing': {
    group: 'closed',
    model: plain,
    set: ({ checkout }) => (checkout.hydrated.value = false),
  },
}

/** Every state, by its name, in the order in which a payer meets them. */
export const SCENES: Readonly<Record<string, Scene>> = {
  ...FORM,
  ...WRONG,
  ...PAYING,
  ...AFTER,
  ...CLOSED,
}
