import { taskStrings } from '../../server/pay-page/task-strings.ts'
import type { PageModel, TaskPageModel } from '../../shared/page-model.ts'
import type { DeepLinkTask, OpenTaskResponse } from '../../shared/schemas/deep-link-task.ts'
import { fillCard, pay } from './live-scenes.ts'
import { model, STRIPE_CARD_MODEL, STRIPE_MODEL } from '../scenes/models.ts'
import { NO_CONTENT_PATH, type PageOrFrame, type Scene } from './scene.ts'
import { FRAMES_READY } from './stripe-scenes.ts'

/** The tasks of deep links: to save a method, and to manage a contract. */

type Task = NonNullable<Scene['task']>

const VISA = { type: 'CARD', brand: 'visa', last4: '4242', expired: false }
const MASTERCARD = { type: 'CARD', brand: 'mastercard', last4: '4444', expired: false }

const CONTRACT: NonNullable<DeepLinkTask['contract']> = {
  description: 'Coffee club',
  amount: '24.00',
  currency: 'EUR',
  currency_digits: 2,
  frequency: 'MONTH',
  interval: 1,
  next_due: '2031-04-14T10:00:00.000Z',
  status: 'ACTIVE',
  payment_method: VISA,
}

export const ADD: DeepLinkTask = {
  action: 'ADD_PAYMENT_METHOD',
  contract: null,
  allow: [],
  result: null,
  return_url: null,
}
const RETURN_URL = 'https://shop.example/account'
export const MANAGE: DeepLinkTask = {
  action: 'MANAGE_CONTRACT',
  contract: CONTRACT,
  allow: ['PAYMENT_METHOD', 'PAUSE', 'CANCEL'],
  result: null,
  return_url: RETURN_URL,
}

const open = (task: DeepLinkTask): OpenTaskResponse => ({
  status: 'OPEN',
  token: 'dst_gallery',
  free_at: null,
  task,
})

const withResult = (
  outcome: NonNullable<DeepLinkTask['result']>['outcome'],
  payment_method: NonNullable<DeepLinkTask['result']>['payment_method'] = null,
  action_url: string | null = null,
): DeepLinkTask => ({
  ...ADD,
  result: { outcome, message_id: null, action_url, payment_method },
  return_url: outcome === 'SAVED' ? RETURN_URL : null,
})

export function pageOf(
  task: DeepLinkTask,
  view: PageModel['view'] = 'FORM',
  page: PageModel = model(),
): TaskPageModel {
  const { checkout } = page
  const methods = checkout.methods.filter(({ storable }) => storable)
  return {
    ...page,
    view,
    languages: [],
    checkout: {
      ...checkout,
      strings: taskStrings(checkout.strings),
      terms: { ...checkout.terms, amount: null },
      details: { needed: false, prefill: {} },
      saved_methods: [],
      methods,
    },
    task_link: 'dl_gallery',
    task_action: task.action,
  }
}

const scene = (task: DeepLinkTask, more: Partial<Scene> = {}): Scene => ({
  model: pageOf(task),
  task: { opened: open(task) },
  ...more,
})

const contract = (change: Partial<typeof CONTRACT>): DeepLinkTask => ({
  ...MANAGE,
  contract: { ...CONTRACT, ...change },
})

const saving = (saved: NonNullable<Task['saved']>, until: string): Scene => ({
  ...scene(ADD),
  task: { opened: open(ADD), saved },
  async act(place) {
    await fillCard(place)
    await pay(place)
  },
  until,
})

const answering = (opened: Task['opened'], until: string, task = ADD): Scene => ({
  ...scene(task),
  task: { opened },
  until,
})

const press = (n: number) => async (place: PageOrFrame) => {
  await place.locator(`.actions > button:nth-of-type(${n})`).click()
}

/** Asks for a change by a button, and confirms it. */
const changing = (n: number, changed: Task['changed'], until: string): Scene => ({
  ...scene(MANAGE),
  task: { opened: open(MANAGE), changed },
  async act(place) {
    await press(n)(place)
    await place.locator('#task-question').waitFor()
    await press(1)(place)
  },
  until,
})

const TOO_MANY = { errorStatus: 429, headers: { 'Retry-After': '3600' } }
const paused = contract({ status: 'PAUSED', next_due: null })
const ended = contract({ status: 'CANCELLED', next_due: null })

const ofStripe = (page: PageModel, more: Partial<Scene>): Scene => ({
  ...scene(ADD, more),
  model: pageOf(ADD, 'FORM', page),
  stripe: 'SHOWN',
})

const chooseDebit = (processor: string) => async (place: PageOrFrame) => {
  await place.locator(`input[value="${processor}-DIRECT_DEBIT"]`).check()
}

/** With the fields of a connected Stripe, and direct debits. */
const METHOD_SCENES: Readonly<Record<string, Scene>> = {
  'task-add-debit': scene(ADD, { act: chooseDebit('sandbox'), until: '#field-iban' }),
  'task-add-stripe': ofStripe(STRIPE_CARD_MODEL, { until: FRAMES_READY }),
  'task-add-stripe-errors': ofStripe(STRIPE_CARD_MODEL, {
    async act(place) {
      await place.locator(FRAMES_READY).first().waitFor()
      await pay(place)
    },
    until: '#field-number-error',
  }),
  'task-add-stripe-blocked': {
    ...ofStripe(STRIPE_CARD_MODEL, { until: '.framed-blocked' }),
    stripe: 'BLOCKED',
  },
  'task-add-stripe-debit': ofStripe(STRIPE_MODEL, {
    act: chooseDebit('pr_gallery'),
    until: '#field-iban',
  }),
  'task-add-stripe-debit-errors': ofStripe(STRIPE_MODEL, {
    async act(place) {
      await chooseDebit('pr_gallery')(place)
      await pay(place)
    },
    until: '#field-email-error',
  }),
}

export const TASK_SCENES: Readonly<Record<string, Scene>> = {
  ...METHOD_SCENES,
  'task-add': scene(ADD, { until: '#field-number' }),
  'task-add-errors': scene(ADD, { act: pay, until: '#field-number-error' }),
  'task-add-saving': saving('NEVER', '.pay .spinner'),
  'task-add-declined': saving(withResult('DECLINED'), '.notice.problem'),
  'task-add-too-many': saving(TOO_MANY, '.notice.problem'),
  'task-add-unknown': { ...saving(withResult('PENDING'), '.notice.problem'), advanceMs: 10_000 },
  'task-add-bank': saving(withResult('ACTION', null, NO_CONTENT_PATH), '.status-card.busy .button'),
  'task-add-done': saving(withResult('SAVED', MASTERCARD), '.status-card.done'),
  'task-add-offline': answering('LOST', '.notice.problem'),
  'task-contract': scene(MANAGE, { until: '.rows' }),
  'task-contract-long': scene(
    contract({
      description: 'Veranstaltungstechnik, Donaudampfschifffahrtsgesellschaft, ein Jahr',
      amount: '123456789.00',
      interval: 3,
      payment_method: { ...VISA, brand: 'amex', expired: true },
    }),
    { until: '.rows' },
  ),
  'task-contract-debit': scene(
    {
      ...contract({
        description: null,
        payment_method: { type: 'DIRECT_DEBIT', brand: null, last4: '0077', expired: false },
      }),
      allow: ['CANCEL'],
    },
    { until: '.rows' },
  ),
  'task-contract-expired': scene(contract({ payment_method: { ...VISA, expired: true } }), {
    until: '.rows',
  }),
  'task-contract-paused': scene(paused, { until: '.rows' }),
  'task-contract-ended': scene(ended, { until: '.rows' }),
  'task-contract-pause': scene(MANAGE, { act: press(2), until: '#task-question' }),
  'task-contract-cancel': scene(MANAGE, { act: press(3), until: '#task-question' }),
  'task-contract-changing': changing(3, 'NEVER', '.actions .spinner'),
  'task-contract-now-paused': changing(2, paused, '.notice.news'),
  'task-contract-now-ended': changing(3, ended, '.notice.news'),
  'task-contract-refused': changing(3, { errorStatus: 400 }, '.notice.problem'),
  'task-contract-method': scene(MANAGE, { act: press(1), until: '#field-number' }),
  'task-contract-opening': answering('NEVER', '.status-icon', MANAGE),
  'task-contract-offline': answering('LOST', '.actions .button', MANAGE),
  'task-in-use': answering(
    { status: 'IN_USE', token: null, free_at: '2031-03-14T15:34:00.000Z', task: null },
    '.status-card.info',
  ),
  'task-over': { model: pageOf(ADD, 'UNAVAILABLE'), task: { opened: open(ADD) } },
  'task-over-meanwhile': saving({ errorStatus: 410 }, '.status-card.info'),
}
