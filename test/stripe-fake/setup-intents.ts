import { randomBytes } from 'node:crypto'
import { challengeUrl, methodAnswer } from './answers.ts'
import { ApiFailure } from './api-failure.ts'
import { CARDS } from './cards.ts'
import { emit, type FakeClock, newStripeId, seconds } from './events.ts'
import { type FormBody, object, text } from './form.ts'
import { usableMethod } from './methods.ts'
import type { Account, Method, Setup } from './objects.ts'
import { expandOf, missing } from './route-parts.ts'
import type { Call, Handler, RouteTable } from './route-table.ts'

/** Setup intents, which save a method without a payment. */
export function setupRoutes(account: Account, clock: FakeClock): RouteTable {
  const onSetup = (act: (call: Call, setup: Setup) => void) => {
    const handler: Handler = (call) => {
      const id = call.path['intent'] ?? ''
      const setup = account.setups.get(id)
      if (!setup) throw missing('setupintent', id)
      act(call, setup)
      return setupAnswer(account, setup, expandOf(call))
    }
    return handler
  }
  return [
    [
      'post',
      '/v1/setup_intents',
      (call) => setupAnswer(account, createSetup(account, clock, call.body), expandOf(call)),
    ],
    ['get', '/v1/setup_intents/{intent}', onSetup(() => {})],
    [
      'post',
      '/v1/setup_intents/{intent}/confirm',
      onSetup(({ body }, setup) => confirmSetup(account, clock, setup, body)),
    ],
    [
      'post',
      '/v1/setup_intents/{intent}/cancel',
      onSetup((_call, setup) => {
        if (['succeeded', 'canceled'].includes(setup.status)) throw unexpected(setup, 'cancel')
        setup.status = 'canceled'
        emitSetup(account, clock, 'canceled', setup)
      }),
    ],
  ]
}

function createSetup(account: Account, clock: FakeClock, body: FormBody): Setup {
  const customer = text(body['customer'])
  if (customer !== undefined && !account.customers.has(customer)) {
    throw new ApiFailure(404, {
      code: 'resource_missing',
      param: 'customer',
      message: `No such customer: '${customer}'`,
    })
  }
  const given = text(body['payment_method'])
  const method = given === undefined ? undefined : usableMethod(account, clock, given, customer)
  const id = newStripeId('seti')
  const setup: Setup = {
    id,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    created: seconds(clock),
    livemode: clock.livemode,
    customer: customer ?? null,
    payment_method: method?.id ?? null,
    payment_method_types: body['payment_method_types'] as string[],
    usage: text(body['usage']) ?? 'off_session',
    metadata: object(body['metadata']) as Record<string, string>,
    description: text(body['description']) ?? null,
    client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
    return_url: null,
    last_setup_error: null,
    three_d_secure: null,
  }
  account.setups.set(id, setup)
  emitSetup(account, clock, 'created', setup)
  return setup
}

function confirmSetup(account: Account, clock: FakeClock, setup: Setup, body: FormBody): void {
  if (setup.status !== 'requires_confirmation') throw unexpected(setup, 'confirm')
  setup.return_url = text(body['return_url']) ?? null
  const method = account.methods.get(setup.payment_method ?? '') as Method
  if (method.type === 'sepa_debit') {
    if (!body['mandate_data']) {
      throw new ApiFailure(400, { param: 'mandate_data', message: 'A mandate is required.' })
    }
    return succeed(account, clock, setup)
  }
  const behavior = CARDS[method.number] ?? 'APPROVE'
  if (typeof behavior === 'object') {
    fail(account, clock, setup, { type: 'card_error', ...behavior })
    throw new ApiFailure(402, {
      type: 'card_error',
      ...behavior,
      setup_intent: setupAnswer(account, setup, []),
    })
  }
  if (behavior !== 'CHALLENGE' && behavior !== 'CHALLENGE_ALWAYS') {
    return succeed(account, clock, setup)
  }
  if (setup.return_url === null) {
    throw new ApiFailure(400, { param: 'return_url', message: 'A return_url is required.' })
  }
  setup.status = 'requires_action'
  emitSetup(account, clock, 'requires_action', setup)
}

function succeed(account: Account, clock: FakeClock, setup: Setup): void {
  const method = account.methods.get(setup.payment_method ?? '') as Method
  method.customer = setup.customer
  method.isSetUp = true
  setup.status = 'succeeded'
  emitSetup(account, clock, 'succeeded', setup)
}

function fail(
  account: Account,
  clock: FakeClock,
  setup: Setup,
  error: Record<string, unknown>,
): void {
  const method = account.methods.get(setup.payment_method ?? '')
  setup.status = 'requires_payment_method'
  setup.last_setup_error = { ...error, ...(method && { payment_method: methodAnswer(method) }) }
  setup.payment_method = null
  emitSetup(account, clock, 'setup_failed', setup)
}

/** Does what the payer chooses on the page of the bank. */
export function answerSetup(
  account: Account,
  clock: FakeClock,
  setup: Setup,
  choice: 'approve' | 'decline',
): void {
  if (setup.status !== 'requires_action') return
  if (choice === 'decline') {
    return fail(account, clock, setup, {
      type: 'invalid_request_error',
      code: 'setup_intent_authentication_failure',
      message: 'The payer did not confirm.',
    })
  }
  setup.three_d_secure = {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: '05',
    result: 'authenticated',
    result_reason: null,
    transaction_id: null,
    version: '2.2.0',
  }
  succeed(account, clock, setup)
}

function unexpected({ status }: Setup, what: string): ApiFailure {
  return new ApiFailure(400, {
    code: 'setup_intent_unexpected_state',
    message: `You cannot ${what} this SetupIntent because it has a status of ${status}.`,
  })
}

function emitSetup(account: Account, clock: FakeClock, type: string, setup: Setup): void {
  emit(account, clock, `setup_intent.${type}`, setupAnswer(account, setup, []))
}

function setupAnswer(account: Account, setup: Setup, expand: readonly string[]): object {
  const { return_url, three_d_secure, ...shown } = setup
  const method = account.methods.get(setup.payment_method ?? '')
  return {
    object: 'setup_intent',
    ...shown,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    flow_directions: null,
    latest_attempt:
      three_d_secure && expand.includes('latest_attempt')
        ? attemptAnswer(setup, three_d_secure)
        : null,
    mandate: null,
    next_action:
      setup.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { return_url, url: challengeUrl(account, setup) },
          }
        : null,
    on_behalf_of: null,
    payment_method:
      method && expand.includes('payment_method') ? methodAnswer(method) : setup.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: null,
    single_use_mandate: null,
  }
}

function attemptAnswer(setup: Setup, three_d_secure: Record<string, unknown>): object {
  return {
    object: 'setup_attempt',
    id: `setatt_${setup.id.slice(5)}`,
    application: null,
    created: setup.created,
    customer: setup.customer,
    flow_directions: null,
    livemode: setup.livemode,
    on_behalf_of: null,
    payment_method: setup.payment_method,
    payment_method_details: {
      type: 'card',
      card: {
        brand: 'visa',
        checks: null,
        country: 'GB',
        exp_month: 12,
        exp_year: 2099,
        funding: 'credit',
        last4: null,
        network: 'visa',
        three_d_secure,
        wallet: null,
      },
    },
    setup_error: null,
    setup_intent: setup.id,
    status: setup.status,
    usage: setup.usage,
  }
}
