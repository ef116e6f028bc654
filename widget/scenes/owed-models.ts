import type { CheckoutView, PageModel } from '../../shared/page-model.ts'
import { trialStrings } from '../../shared/rules/trial-strings.ts'
import { model, result } from './models.ts'

/** Pages of links that pay charges or begin a contract. */

const CHARGES: NonNullable<CheckoutView['terms']['charges']> = [
  { name: 'Rent of March, third floor left', due: '2031-03-01T00:00:00.000Z', amount: '870.00' },
  { name: 'Heating 2030', due: '2031-03-20T12:00:00.000Z', amount: '112.40' },
  { name: null, due: null, amount: '17.60' },
]

const RECURRING: NonNullable<CheckoutView['terms']['recurring']> = {
  frequency: 'MONTH',
  interval: 3,
  count: 12,
  until: null,
}

const ofAccount = { details: { needed: false, prefill: {} } }
const saved = {
  methods: model().checkout.methods.slice(0, 2),
  save_card: { show: false, initial: true, consent: true },
}
const paid = { view: 'RESULT' } as const

const TRIAL = { ...RECURRING, interval: 1, count: null, trial_days: 14 }
const ofTrial = { strings: trialStrings(model().checkout.strings) }
/** A free trial takes nothing and has no reference. */
const begun = {
  amount: '0.00',
  reference: null,
  transaction: null,
  recurring: { ...TRIAL, amount: '12.50', next_due: '2031-03-28T15:09:26.000Z' },
}

export const OWED_MODELS: Readonly<Record<string, PageModel>> = {
  'form-charges': model({}, ofAccount, {
    name: 'Your rent',
    amount: '1000.00',
    charges: CHARGES,
  }),
  'form-charge': model({}, ofAccount, { amount: '870.00', charges: CHARGES.slice(0, 1) }),
  'form-recurring': model({}, saved, { recurring: RECURRING }),
  'form-recurring-until': model({}, saved, {
    amount: null,
    amount_editable: true,
    recurring: { ...RECURRING, interval: 1, count: null, until: '2032-12-31T12:00:00.000Z' },
  }),
  'form-trial': model({}, { ...saved, ...ofTrial }, { name: 'Tea club', recurring: TRIAL }),
  'receipt-trial': model(
    paid,
    { ...ofTrial, status: 'COMPLETED', result: result(begun) },
    { recurring: TRIAL },
  ),
  'checking-trial': model(
    paid,
    {
      ...ofTrial,
      status: 'PENDING',
      result: result({ ...begun, outcome: 'CHECKING', recurring: undefined, redirect: null }),
    },
    { recurring: TRIAL },
  ),
  'nothing-due': model({}, ofAccount, { amount: '0.00', charges: [] }),
  'receipt-charges': model(
    paid,
    { status: 'COMPLETED', result: result({ amount: '1000.00', charges: CHARGES }) },
    { amount: '0.00', charges: [] },
  ),
  'receipt-recurring': model(
    paid,
    {
      status: 'COMPLETED',
      result: result({
        recurring: { ...RECURRING, amount: '24.00', next_due: '2031-06-14T15:09:26.000Z' },
      }),
    },
    { recurring: RECURRING },
  ),
}
