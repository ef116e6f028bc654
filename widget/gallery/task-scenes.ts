import type { PageModel, TaskPageModel } from '../../shared/page-model.ts'
import type { DeepLinkTask, OpenTaskResponse } from '../../shared/schemas/deep-link-task.ts'
import { fillCard, pay } from './live-scenes.ts'
import { model } from './models.ts'
import type { Scene } from './scene.ts'

/** The tasks of deep links: to save a method, and to manage a contract. */

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

const ADD: DeepLinkTask = {
  action: 'ADD_PAYMENT_METHOD',
  contract: null,
  allow: [],
  result: null,
  return_url: null,
}
const RETURN_URL = 'https://shop.example/account'
const MANAGE: DeepLinkTask = {
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
): DeepLinkTask => ({
  ...ADD,
  result: { outcome, message_id: null, action_url: null, payment_method },
  return_url: outcome === 'SAVED' ? RETURN_URL : null,
})

function pageOf(task: DeepLinkTask, view: PageModel['view'] = 'FORM'): TaskPageModel {
  const page = model()
  const { checkout } = page
  const methods = checkout.methods.filter(({ type }) => type !== 'BANK_TRANSFER')
  return {
    ...page,
    view,
    languages: [],
    checkout: {
      ...checkout,
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

const saving = (saved: DeepLinkTask, until: string): Scene => ({
  ...scene(ADD),
  task: { opened: open(ADD), saved },
  async act(place) {
    await fillCard(place)
    await pay(place)
  },
  until,
})

const press = (n: number) => async (place: Parameters<NonNullable<Scene['act']>>[0]) => {
  await place.locator(`.actions > button:nth-child(${n})`).click()
}

export const TASK_SCENES: Readonly<Record<string, Scene>> = {
  'task-add': scene(ADD, { until: '#field-number' }),
  'task-add-errors': scene(ADD, { act: pay, until: '#field-number-error' }),
  'task-add-declined': saving(withResult('DECLINED'), '.notice.problem'),
  'task-add-done': saving(withResult('SAVED', MASTERCARD), '.status-card.done'),
  'task-contract': scene(MANAGE, { until: '.rows' }),
  'task-contract-expired': scene(contract({ payment_method: { ...VISA, expired: true } }), {
    until: '.rows',
  }),
  'task-contract-paused': scene(contract({ status: 'PAUSED', next_due: null }), { until: '.rows' }),
  'task-contract-ended': scene(contract({ status: 'CANCELLED', next_due: null }), {
    until: '.rows',
  }),
  'task-contract-pause': scene(MANAGE, { act: press(2), until: '#task-question' }),
  'task-contract-cancel': scene(MANAGE, { act: press(3), until: '#task-question' }),
  'task-contract-method': scene(MANAGE, { act: press(1), until: '#field-number' }),
  'task-in-use': {
    ...scene(ADD),
    task: { opened: { status: 'IN_USE', token: null, free_at: null, task: null } },
    until: '.status-card.info',
  },
  'task-gone': { model: pageOf(ADD, 'UNAVAILABLE'), task: { opened: open(ADD) } },
}
