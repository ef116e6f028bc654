import type { AdapterConnection } from '../adapter.ts'
import type { JournalEntry } from '../journal.ts'
import type { MethodCapabilities, Processor } from '../port.ts'
import { STRIPE_AMOUNTS, STRIPE_CURRENCIES } from './amounts.ts'
import { readChanges } from './changes.ts'
import { createStripeClient, Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED } from './decline.ts'
import { methodDetails, type MethodType } from './details.ts'
import { cancelFollowUp, followPayment, queryFollowUp } from './follow-ups.ts'
import { parseNotice } from './notices.ts'
import { queryLost } from './find-lost.ts'
import { storedMethod } from './intent-params.ts'
import { cancelPayment, queryPayment } from './intent-state.ts'
import { takePayment } from './intents.ts'
import { cancelOrphans } from './orphans.ts'
import { cancelSetup, querySetup } from './setup-state.ts'
import { setUpMethod } from './setups.ts'
import { stripeSettings, type StripeSettings } from './settings.ts'

/** The adapter of one connection to Stripe. Throws a ZodError for settings that are invalid. */
export function createStripe(connection: AdapterConnection): Processor {
  const { id, test, journal, now, log, failpoint } = connection
  const settings = stripeSettings.parse(connection.settings)
  const client = createStripeClient({
    secretKey: connection.secretKey,
    apiUrl: connection.apiUrl,
    account: settings.account,
    log,
    onAuthentication: connection.onAuthentication ?? (() => {}),
    ...(connection.retryDelaysMs && { retryDelaysMs: connection.retryDelaysMs }),
  })
  const context: StripeContext = { client, journal, settings, test, now, log, failpoint }
  return {
    id,
    name: 'stripe',
    test,
    refund_late: settings.refund_late,
    capabilities: {
      currencies: settings.currencies ?? STRIPE_CURRENCIES,
      methods: settings.methods.map((type) => methodCapabilities(type, settings)),
      refund: true,
      partial_refund: true,
      multiple_refunds: true,
      partial_capture: true,
      multiple_captures: false,
      void: true,
      three_ds: true,
      query: true,
    },
    page: {
      name: 'stripe',
      publishable_key: connection.publishableKey,
      ...(settings.account !== undefined && { account: settings.account }),
      script: connection.scriptUrl,
      policy: pagePolicy(connection),
    },
    pay: (order) => takePayment(context, 'PAY', order),
    setup: (order) => setUpMethod(context, order),
    authorize: (order) => takePayment(context, 'AUTHORISE', order),
    capture: (order) => followPayment(context, 'CAPTURE', order),
    refund: (order) => followPayment(context, 'REFUND', order),
    void: (order) => followPayment(context, 'VOID', order),
    async query(operation, lost) {
      const entry = await journal.find(operation)
      if (entry === undefined) {
        return lost ? queryLost(context, operation, lost) : { status: 'NOT_FOUND' }
      }
      if (entry === 'CANCELLED') return CANCELLED
      if (entry.kind === 'SETUP') return querySetup(context, operation, entry)
      return isPayment(entry)
        ? queryPayment(context, operation, entry)
        : queryFollowUp(context, operation, entry)
    },
    async cancel(operation) {
      const entry = await journal.cancel(operation)
      if (entry === 'CANCELLED') return CANCELLED
      if (entry.kind === 'SETUP') return cancelSetup(context, operation, entry)
      return isPayment(entry)
        ? cancelPayment(context, operation, entry)
        : cancelFollowUp(context, operation, entry)
    },
    changes: ({ since }) => readChanges(context, since),
    parseNotice: async (body, headers, at) =>
      parseNotice(
        { webhookSecrets: connection.webhookSecrets, test, account: settings.account },
        body,
        headers,
        at,
      ),
    cancelOrphans: () => cancelOrphans(context),
    async countryOf(token) {
      const method = await client.call('read payment method', (stripe, options) =>
        stripe.paymentMethods.retrieve(token, {}, options),
      )
      return methodDetails(method)?.country ?? null
    },
    async forget(token) {
      const { payment_method } = storedMethod(token)
      try {
        await client.call(
          'detach payment method',
          (stripe, options) => stripe.paymentMethods.detach(payment_method, {}, options),
          { key: `${payment_method}:detach` },
        )
      } catch (error) {
        // It is detached already, or gone with its customer.
        if (!(error instanceof Refused) || error.status === 401 || error.status === 403) throw error
      }
    },
  }
}

function isPayment({ kind }: JournalEntry): boolean {
  return kind === 'PAY' || kind === 'AUTHORISE'
}

function methodCapabilities(type: MethodType, settings: StripeSettings): MethodCapabilities {
  const isCard = type === 'CARD'
  const isDebit = type === 'DIRECT_DEBIT'
  const storable = isCard || isDebit
  return {
    type,
    ...(type === 'PRZELEWY' ? { currencies: ['EUR', 'PLN'] } : !isCard && { currencies: ['EUR'] }),
    ...(isCard && { amounts: STRIPE_AMOUNTS }),
    storable,
    setup: storable,
    token_first: false,
    async: isDebit,
    redirect: !storable,
    framed: isCard,
    authorize: isCard,
    merchant_initiated: storable,
    mandate: isDebit,
    fields: isCard ? 'FRAMES' : isDebit ? 'OWN' : 'NONE',
    csc: isCard && settings.saved_csc === 'ASK' ? 'TOKEN' : 'NONE',
    needs: needs(type),
    token_form: /^pm_\w{1,252}$/,
    // What a bank is processing cannot be ended.
    cancel: 'ACTION_ONLY',
  }
}

function needs(type: MethodType): MethodCapabilities['needs'] {
  switch (type) {
    case 'CARD':
      return []
    case 'DIRECT_DEBIT':
      // The holder of the account is its name.
      return ['email']
    case 'PRZELEWY':
      return ['email']
    default:
      return ['name']
  }
}

/** Stripe's hosts, or those that the operator has set in their place. */
function pagePolicy({ scriptUrl, apiUrl }: AdapterConnection) {
  const script = new URL(scriptUrl).origin
  const api = new URL(apiUrl).origin
  const frames =
    script === 'https://js.stripe.com'
      ? [script, 'https://*.js.stripe.com', 'https://hooks.stripe.com']
      : [script]
  return { 'script-src': [script], 'connect-src': [api], 'frame-src': frames }
}
