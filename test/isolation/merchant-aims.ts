import type { Aim } from './answers.ts'
import { keyed, keyedRequests } from './keyed-requests.ts'
import type { Keys, Names } from './names.ts'

/**
 * How each operation of the merchant's API is aimed at another tenant's records: in its path, query,
 * body and headers. `their` are the names of that tenant, which may not exist; `own` are the
 * caller's.
 */
export type Aims = (their: Names, own: Names) => Aim[]

const TAKEN_OVER = 'Taken over'
const KEYS_ONLY = { keysOnly: true } as const
/** Within the days that a link to a task of an account may live. */
const WHEN = '2030-05-20T00:00:00Z'

const ENTITY = { legal_name: 'Corner Shop Ltd', country: 'GB' }

const PROCESSOR = { name: 'stripe', secret_key: 'none', publishable_key: 'none' }

/** Requests at `/area/{name}` by everything that a record is called. */
function byNames(area: string, names: readonly string[], more: Partial<Aim> = {}): Aim[] {
  const { path: rest = '', ...call } = more
  return names.map((name) => ({
    path: `/${area}/${encodeURIComponent(name)}${rest}`,
    status: 404,
    ...call,
  }))
}

/** Reads of a record by its names, and once more with what it names in their places. */
function reads(area: string, names: readonly string[], expand: string): Aim[] {
  return [
    ...byNames(area, names),
    ...byNames(area, names.slice(0, 1), { path: `?expand=${expand}` }),
  ]
}

/** A list filtered for another tenant's records. It is empty for a caller without such records. */
function listed(area: string, criteria: readonly string[], more: Partial<Aim> = {}): Aim[] {
  return criteria.map((each) => ({
    path: `/${area}?criteria=${encodeURIComponent(each)}`,
    status: 200,
    ...more,
  }))
}

const onesOf = (
  path: keyof ReturnType<typeof keyedRequests>,
  their: Names,
  status: number,
): Aim => ({
  path: path.replace(/:(\w+)/, (_, name: keyof Names) => their[name]),
  body: keyedRequests(their)[path],
  ...keyed(their),
  status,
})

const paidNames = (n: Names) => [
  n.sale,
  n.saleKey,
  n.transaction,
  n.capture,
  n.captureKey,
  n.linkKey,
]
// By its key while something of it is open, so that first.
const authorisedNames = (n: Names) => [n.authorisationKey, n.authorisation]
const paymentNames = (n: Names) => [...paidNames(n), ...authorisedNames(n), n.announced]
const linkNames = (n: Names) => [n.paidLink, n.openLink]
const deepLinkNames = (n: Names) => [n.deepLink, n.slug, n.taskLink]
const accountNames = (n: Names) => [n.account, n.accountKey]
const chargeNames = (n: Names) => [n.charge, n.owedCharge, n.owedKey]
const contractNames = (n: Names) => [n.contract, n.owedKey]

/** Wording of a branding that the caller's instance does not have. */
const inBranding = ({ branding }: Keys) => `branding=${branding}&language=cy`
const wording = (n: Names) => ({ text: TAKEN_OVER, branding: n.branding })

export const MERCHANT_AIMS: Record<string, Aims> = {
  'GET /accounts': (n) =>
    listed('accounts', [`id=${n.account}`, `crm_key=${n.accountKey}`, `crm_key~=${n.payerKey}`]),
  'POST /accounts': (n) => [onesOf('/accounts', n, 200)],
  'GET /accounts/{account_id}': (n) =>
    reads('accounts', accountNames(n), 'last_transaction,created_session'),
  'PUT /accounts/{account_id}': (n) =>
    byNames('accounts', accountNames(n), {
      method: 'PUT',
      body: { account: { company: TAKEN_OVER } },
    }),

  'POST /accounts/{account_id}/anonymise': (n) =>
    byNames('accounts', accountNames(n), { method: 'POST', path: '/anonymise' }),

  'GET /payment_methods': (n) =>
    listed('payment_methods', [`id=${n.method}`, `account=${n.account}`]),
  'GET /payment_methods/{id}': (n) => reads('payment_methods', [n.method], 'account'),
  'DELETE /payment_methods/{id}': (n) =>
    byNames('payment_methods', [n.method], { method: 'DELETE' }),

  'GET /contracts': (n) =>
    listed('contracts', [`id=${n.contract}`, `alt_key=${n.owedKey}`, `account=${n.account}`]),
  'GET /contracts/{contract_id}': (n) =>
    reads('contracts', contractNames(n), 'account,payment_method'),
  'PUT /contracts/{contract_id}': (n, own) => [
    ...byNames('contracts', contractNames(n), {
      method: 'PUT',
      body: { contract: { description: TAKEN_OVER } },
    }),
    ...byNames('contracts', [own.contract], {
      method: 'PUT',
      body: { contract: { payment_method: n.method } },
      status: 400,
    }),
  ],
  'DELETE /contracts/{contract_id}': (n) =>
    byNames('contracts', contractNames(n), { method: 'DELETE' }),

  'GET /charges': (n) =>
    listed('charges', [`id=${n.charge};${n.owedCharge}`, `alt_key=${n.owedKey}`]),
  'GET /charges/{charge_id}': (n) =>
    reads('charges', chargeNames(n), 'account,contract.payment_method'),
  'PUT /charges/{charge_id}': (n) =>
    byNames('charges', chargeNames(n), { method: 'PUT', body: { charge: { amount: '99.00' } } }),

  'GET /payment_links': (n) =>
    listed('payment_links', [`id=${n.paidLink};${n.openLink}`, `account=${n.account}`]),
  'POST /payment_links': (n) => [
    onesOf('/payment_links', n, 200),
    {
      path: '/payment_links',
      body: { payment_link: { options: { account: n.account } } },
      status: 404,
    },
  ],
  'GET /payment_links/{id}': (n) =>
    reads('payment_links', linkNames(n), 'account,payment.transaction'),
  'PUT /payment_links/{id}': (n, own) => [
    ...byNames('payment_links', linkNames(n), {
      method: 'PUT',
      body: { mode: 'PATCH', payment_link: { state: TAKEN_OVER } },
    }),
    ...byNames('payment_links', [n.openLink], {
      method: 'PUT',
      body: { payment_link: { state: TAKEN_OVER } },
      headers: { 'if-match': '"1000"' },
    }),
    ...byNames('payment_links', [own.openLink], {
      method: 'PUT',
      body: { mode: 'PATCH', payment_link: { options: { account: n.account } } },
    }),
  ],
  'DELETE /payment_links/{id}': (n) => byNames('payment_links', linkNames(n), { method: 'DELETE' }),

  'POST /payment_links/{id}/send': (n) =>
    byNames('payment_links', linkNames(n), {
      path: '/send',
      method: 'POST',
      body: { mail: { to: 'ada@example.com' } },
    }),
  'GET /deep_links': (n) =>
    listed('deep_links', [`id=${n.deepLink}`, `slug=${n.slug}`, `account=${n.account}`]),
  'POST /deep_links': (n, own) => [
    onesOf('/deep_links', n, 200),
    ...[
      { action: 'PAY', options: { account: n.account } },
      { action: 'PAY_CHARGES', account: n.account, expires: WHEN },
      { action: 'PAY_CHARGES', account: own.account, charges: [n.charge], expires: WHEN },
      { action: 'MANAGE_CONTRACT', account: own.account, contract: n.contract, expires: WHEN },
    ].map((deep_link) => ({ path: '/deep_links', body: { deep_link }, status: 404 })),
  ],
  'GET /deep_links/{id}': (n) => reads('deep_links', deepLinkNames(n), 'account,charges,contract'),
  'GET /deep_links/{id}/payment_links': (n) =>
    byNames('deep_links', deepLinkNames(n), { path: '/payment_links' }),
  'PUT /deep_links/{id}': (n, own) => [
    ...byNames('deep_links', deepLinkNames(n), {
      method: 'PUT',
      body: { deep_link: { options: { name: TAKEN_OVER } } },
    }),
    ...byNames('deep_links', [own.deepLink], {
      method: 'PUT',
      body: { deep_link: { options: { account: n.account } } },
    }),
  ],
  'DELETE /deep_links/{id}': (n) => byNames('deep_links', deepLinkNames(n), { method: 'DELETE' }),

  'GET /checkouts': (n) =>
    listed('checkouts', [
      `id=${n.checkout}`,
      `payment_link=${n.openLink}`,
      `account=${n.account}`,
      `branding=${n.branding}`,
    ]),
  'GET /checkouts/{id}': (n) =>
    reads('checkouts', [n.checkout, n.openCheckout], 'payment_link.payment,account'),

  'GET /payments': (n) =>
    listed('payments', [
      `id=${n.sale};${n.authorisation}`,
      `alt_key=${n.saleKey}`,
      `payment_link=${n.paidLink}`,
      `payment_method=${n.method}`,
    ]),
  'POST /payments': (n, own) => {
    const taken = { amount: '1.00', currency: 'EUR', payment_method: own.method }
    const part = (charge: string) => [{ charge, amount: '1.00' }]
    const send = (payment: object, status = 400): Aim => ({
      path: '/payments',
      body: { payment: { ...taken, ...payment } },
      status,
    })
    return [
      onesOf('/payments', n, 400),
      send({ payment_method: n.method }),
      send({ payment_method: n.method, due: '2031-01-01T00:00:00Z' }),
      send({ account: n.account }),
      send({ account: n.account, payment_method: n.method }),
      send({ parts: part(n.charge) }),
      send({ parts: part(n.owedCharge) }),
    ]
  },
  'GET /payments/{payment_id}': (n) =>
    reads('payments', paymentNames(n), 'account,transaction,parts'),
  'POST /payments/{payment_id}/capture': (n) => [
    onesOf('/payments/:authorisation/capture', n, 404),
    ...byNames('payments', authorisedNames(n), {
      path: '/capture',
      body: { capture: { amount: '1.00' } },
    }),
    ...byNames('payments', paidNames(n), { method: 'POST', path: '/capture', blind: true }),
  ],
  'POST /payments/{payment_id}/refund': (n, own) => [
    onesOf('/payments/:sale/refund', n, 404),
    ...byNames('payments', paidNames(n), {
      path: '/refund',
      body: { refund: { offline: true, amount: '0.01' } },
    }),
    // Of the caller's own money, with names of another tenant.
    ...byNames('payments', [own.instalment], {
      path: '/refund',
      body: { refund: { amount: '1.00', parts: [{ charge: n.charge, amount: '1.00' }] } },
      status: 400,
    }),
    ...byNames('payments', [own.sale], {
      path: '/refund',
      body: { refund: { amount: '0.01', reference: n.refundReference } },
      status: 200,
    }),
    ...byNames('payments', paidNames(n), { method: 'POST', path: '/refund' }),
    ...byNames('payments', authorisedNames(n), { method: 'POST', path: '/refund', blind: true }),
  ],
  'POST /payments/{payment_id}/void': (n) => [
    onesOf('/payments/:released/void', n, 404),
    ...byNames('payments', [n.released, ...authorisedNames(n)], { method: 'POST', path: '/void' }),
    ...byNames('payments', paidNames(n), { method: 'POST', path: '/void', blind: true }),
  ],

  'POST /payments/{payment_id}/check': (n) => [
    ...byNames('payments', [...paidNames(n), ...authorisedNames(n)], {
      method: 'POST',
      path: '/check',
    }),
  ],

  'GET /captures': (n) => listed('captures', [`id=${n.capture}`, `alt_key=${n.captureKey}`]),
  'GET /captures/{id}': (n) => reads('captures', [n.capture], 'account,transaction'),
  'GET /refunds': (n) =>
    listed('refunds', [`id=${n.refund}`, `payment=${n.sale}`, `account=${n.account}`]),
  'GET /refunds/{id}': (n) => reads('refunds', [n.refund], 'payment,source_transaction'),
  'PUT /refunds/{id}': (n) =>
    byNames('refunds', [n.refund], { method: 'PUT', body: { refund: { status: 'DECLINED' } } }),
  'GET /reversals': (n) => listed('reversals', [`id=${n.reversal}`, `payment=${n.sale}`]),
  'GET /reversals/{id}': (n) => reads('reversals', [n.reversal], 'payment'),
  'GET /voids': (n) => listed('voids', [`id=${n.void}`, `payment=${n.released}`]),
  'GET /voids/{id}': (n) => reads('voids', [n.void], 'payment,transaction'),

  'GET /strings': (n) => [{ path: `/strings?${inBranding(n)}`, status: 400 }],
  'POST /strings': (n) => [
    onesOf('/strings', n, 200),
    {
      path: '/strings',
      body: { strings: [{ id: 'checkout.comment', ...wording(n) }] },
      status: 400,
    },
  ],
  'GET /strings/{string_id}': (n) => [
    { path: `/strings/checkout.comment?${inBranding(n)}`, status: 400 },
  ],
  'PUT /strings/{string_id}': (n) => [
    { method: 'PUT', path: '/strings/checkout.comment', body: { string: wording(n) }, status: 400 },
  ],

  'GET /string_acks': (n) => listed('string_acks', [`branding=${n.branding}`]),
  'PUT /string_acks': ({ branding }) => [
    {
      path: '/string_acks',
      method: 'PUT',
      body: { string_acks: [{ id: 'card.code', branding, stale_hash: 'x'.repeat(22) }] },
      status: 400,
    },
  ],
  'GET /string_exports': (n) => [{ path: `/string_exports?${inBranding(n)}`, status: 400 }],
  'POST /string_imports': ({ branding }) => [
    {
      path: '/string_imports',
      body: { string_import: { format: 'JSON', branding, content: '{"checkout.comment":"x"}' } },
      status: 400,
    },
  ],
  'GET /string_overrides': (n) => listed('string_overrides', [`branding=${n.branding}`]),
  'GET /string_revisions': (n) => listed('string_revisions', [`id=${n.revision}`]),
  'POST /string_revisions': (n) => [
    {
      path: '/string_revisions',
      body: { revision: { base_version: 1, changes: [{ id: 'card.code', ...wording(n) }] } },
      status: 400,
    },
  ],
  'GET /string_revisions/{id}': (n) => reads('string_revisions', [n.revision], 'created_session'),
  'POST /string_revisions/{id}/revert': (n) =>
    byNames('string_revisions', [n.revision], { path: '/revert', body: {} }),

  'GET /instance_webhooks': (n) => listed('instance_webhooks', [`id=${n.webhook}`]),
  'POST /instance_webhooks': (n) => [onesOf('/instance_webhooks', n, 200)],
  'GET /instance_webhooks/{id}': (n) => reads('instance_webhooks', [n.webhook], 'created_session'),
  'PUT /instance_webhooks/{id}': (n) =>
    byNames('instance_webhooks', [n.webhook], {
      method: 'PUT',
      body: { instance_webhook: { enabled: false } },
    }),
  'DELETE /instance_webhooks/{id}': (n) =>
    byNames('instance_webhooks', [n.webhook], { method: 'DELETE' }),
  'POST /instance_webhooks/{id}/rotate': (n) => [
    onesOf('/instance_webhooks/:webhook/rotate', n, 404),
    ...byNames('instance_webhooks', [n.webhook], { method: 'POST', path: '/rotate' }),
  ],
  'POST /instance_webhooks/{id}/replay': (n, own) => [
    onesOf('/instance_webhooks/:webhook/replay', n, 404),
    ...byNames('instance_webhooks', [own.webhook], {
      path: '/replay',
      body: { replay: { event: n.event } },
    }),
  ],
  'POST /instance_webhooks/{id}/test': (n) =>
    byNames('instance_webhooks', [n.webhook], { method: 'POST', path: '/test' }),
  'GET /deliveries': (n) =>
    listed('deliveries', [`id=${n.delivery}`, `event=${n.event}`, `instance_webhook=${n.webhook}`]),
  'GET /instance_webhooks/{id}/deliveries': (n, own) => [
    ...byNames('instance_webhooks', [n.webhook], { path: '/deliveries' }),
    ...listed(`instance_webhooks/${own.webhook}/deliveries`, [
      `id=${n.delivery}`,
      `event=${n.event}`,
    ]),
  ],
  'GET /legal_entities': (n) => listed('legal_entities', [`id=${n.legalEntity}`]),
  'POST /legal_entities': () => [
    { path: '/legal_entities', body: { legal_entity: ENTITY }, status: 200, blind: true },
  ],
  'GET /legal_entities/{id}': (n) =>
    reads('legal_entities', [n.legalEntity, n.entityKey], 'created_session'),
  'PUT /legal_entities/{id}': (n) =>
    byNames('legal_entities', [n.legalEntity, n.entityKey], {
      method: 'PUT',
      body: { legal_entity: { legal_name: TAKEN_OVER } },
    }),
  'DELETE /legal_entities/{id}': (n) =>
    byNames('legal_entities', [n.spareEntity], { method: 'DELETE' }),
  'GET /legal_entity_routes': (n) =>
    listed('legal_entity_routes', [`id=${n.entityRoute}`, `legal_entity=${n.legalEntity}`]),
  'POST /legal_entity_routes': (n) => [
    {
      path: '/legal_entity_routes',
      body: { legal_entity_route: { legal_entity: n.legalEntity } },
      status: 400,
    },
    {
      path: '/legal_entity_routes',
      body: { legal_entity_route: { legal_entity: n.legalEntity, processor: n.processor } },
      status: 400,
    },
  ],
  'PUT /legal_entity_routes': (n) => [
    {
      method: 'PUT',
      path: '/legal_entity_routes',
      body: { legal_entity_routes: [{ id: n.entityRoute, legal_entity: n.legalEntity }] },
      status: 400,
    },
  ],
  'GET /legal_entity_routes/{id}': (n) =>
    reads('legal_entity_routes', [n.entityRoute], 'legal_entity'),
  'PUT /legal_entity_routes/{id}': (n, own) => [
    ...byNames('legal_entity_routes', [n.entityRoute], {
      method: 'PUT',
      body: { legal_entity_route: { enabled: false } },
    }),
    ...byNames('legal_entity_routes', [own.entityRoute], {
      method: 'PUT',
      body: { legal_entity_route: { processor: n.processor } },
      status: 400,
    }),
  ],
  'DELETE /legal_entity_routes/{id}': (n) =>
    byNames('legal_entity_routes', [n.entityRoute], { method: 'DELETE' }),
  'POST /legal_entity_routes/resolve': (n) => [
    {
      path: '/legal_entity_routes/resolve',
      body: { payment: { branding: n.branding, processor: n.processor } },
      status: 200,
      blind: true,
    },
  ],
  'GET /processors': (n) => listed('processors', [`id=${n.processor}`]),
  // A key of no processor, because the caller would connect an account of its own.
  'POST /processors': () => [
    { path: '/processors', body: { processor: PROCESSOR }, status: 400, blind: true },
  ],
  'GET /processors/{id}': (n) => reads('processors', [n.processor], 'created_session'),
  'PUT /processors/{id}': (n) =>
    byNames('processors', [n.processor], {
      method: 'PUT',
      body: { processor: { settings: { saved_csc: 'NONE' } } },
    }),
  'DELETE /processors/{id}': (n) => byNames('processors', [n.processor], { method: 'DELETE' }),
  'POST /processors/{id}/check': (n) =>
    byNames('processors', [n.processor], { method: 'POST', path: '/check' }),
  'POST /processors/{id}/rotate_webhook_secret': (n) =>
    byNames('processors', [n.processor], { method: 'POST', path: '/rotate_webhook_secret' }),

  'GET /events/stream': (n) => [
    { path: '/events/stream?follow=false', headers: { 'last-event-id': n.event }, status: 400 },
  ],
  'GET /events': (n) => listed('events', [`id=${n.event}`]),
  'GET /events/{id}': (n) => byNames('events', [n.event]),

  'GET /views': (n) => listed('views', [`id=${n.view}`]),
  'POST /views': () => [
    {
      path: '/views',
      body: { view: { name: TAKEN_OVER } },
      status: 400,
      blind: true,
    },
  ],
  'DELETE /views/{id}': (n) => byNames('views', [n.view], { method: 'DELETE' }),

  'GET /secret_keys': (n) => listed('secret_keys', [`id=${n.secretKey}`], KEYS_ONLY),
  'POST /secret_keys': (n) => [
    {
      path: '/secret_keys',
      body: { secret_key: { replaces: n.secretKey } },
      status: 404,
      ...KEYS_ONLY,
    },
  ],
  'GET /secret_keys/{id}': (n) => byNames('secret_keys', [n.secretKey], KEYS_ONLY),
  'PUT /secret_keys/{id}': (n) =>
    byNames('secret_keys', [n.secretKey], {
      method: 'PUT',
      body: { secret_key: { name: TAKEN_OVER } },
      ...KEYS_ONLY,
    }),
  'DELETE /secret_keys/{id}': (n) =>
    byNames('secret_keys', [n.secretKey], { method: 'DELETE', ...KEYS_ONLY }),

  'GET /oauth_grants': (n) => listed('oauth_grants', [`id=${n.grant}`], KEYS_ONLY),
  'DELETE /oauth_grants/{id}': (n) =>
    byNames('oauth_grants', [n.grant], { method: 'DELETE', ...KEYS_ONLY }),
  'GET /users': (n) => listed('users', [`id=${n.colleague}`], KEYS_ONLY),
  'POST /users': (n) => [
    {
      path: '/users',
      body: {
        user: {
          email: `${n.accountKey.replace(' ', '.')}@shop.example`,
          role: 'VIEWER',
          instances: [n.instanceKey],
        },
      },
      status: 400,
      ...KEYS_ONLY,
    },
  ],
  'GET /users/{id}': (n) => byNames('users', [n.colleague], KEYS_ONLY),
  'PUT /users/{id}': (n) =>
    byNames('users', [n.colleague], {
      method: 'PUT',
      body: { user: { name: TAKEN_OVER } },
      ...KEYS_ONLY,
    }),
  'DELETE /users/{id}': (n) => byNames('users', [n.colleague], { method: 'DELETE', ...KEYS_ONLY }),
  'POST /users/{id}/invitation': (n) =>
    byNames('users', [n.colleague], {
      method: 'POST',
      path: '/invitation',
      body: {},
      ...KEYS_ONLY,
    }),
  'GET /user_sessions': (n) => listed('user_sessions', [`id=${n.userSession}`], KEYS_ONLY),
  'GET /user_sessions/{id}': (n) => byNames('user_sessions', [n.userSession], KEYS_ONLY),
  'DELETE /user_sessions/{id}': (n) =>
    byNames('user_sessions', [n.userSession], { method: 'DELETE', ...KEYS_ONLY }),
  'DELETE /user_sessions': (n) => [
    { path: `/user_sessions?user=${n.colleague}`, method: 'DELETE', status: 404, ...KEYS_ONLY },
  ],
  'GET /audit': (n) => listed('audit', [`id=${n.auditEntry}`], KEYS_ONLY),

  // Always the caller's own.
  'GET /whoami': () => [{ path: '/whoami', status: 200, blind: true }],
  'GET /instances/{key}': (n) => byNames('instances', [n.instanceKey]),
  'PUT /instances/{key}': (n) =>
    byNames('instances', [n.instanceKey], {
      method: 'PUT',
      body: { instance: { name: TAKEN_OVER } },
    }),

  // Always the caller's own clock.
  'GET /checkout_monitor': (n) => listed('checkout_monitor', [`branding=${n.branding}`]),
  'GET /checkout_monitor/stuck': (n) =>
    listed('checkout_monitor/stuck', [`account=${n.account}`, `id=${n.unresolved}`]),
  'GET /checkout_monitor/alerts': () => [
    { path: '/checkout_monitor/alerts', status: 200, blind: true },
  ],
  'PUT /checkout_monitor/alerts': () => [
    {
      path: '/checkout_monitor/alerts',
      method: 'PUT',
      body: { checkout_monitor: { alerts: [{}] } },
      status: 400,
      blind: true,
    },
  ],

  'GET /search': (n) =>
    [n.sale, n.saleKey, n.account, n.accountKey, n.openLink, n.charge, n.owedKey].map((text) => ({
      path: `/search?q=${encodeURIComponent(text)}`,
      status: 200,
    })),
  'GET /checkouts/{id}/page': (n) =>
    byNames('checkouts', [n.checkout, n.openCheckout], { path: '/page' }),
  'GET /preferences': () => [{ path: '/preferences', status: 403, blind: true }],
  'PUT /preferences': () => [
    { path: '/preferences', method: 'PUT', body: { preferences: {} }, status: 403, blind: true },
  ],
  'GET /attention': () => [{ path: '/attention', status: 200, blind: true }],
  'GET /timeline': (n) =>
    [n.sale, n.authorisation, n.paidLink, n.checkout, n.account, n.charge, n.contract].map(
      (id) => ({
        path: `/timeline?of=${id}`,
        status: 404,
      }),
    ),
  'GET /totals': () => [{ path: '/totals?by=day', status: 200, blind: true, ...KEYS_ONLY }],

  'GET /sandbox/clock': () => [{ path: '/sandbox/clock', status: 200, blind: true }],
  'POST /sandbox/clock': () => [
    { path: '/sandbox/clock', body: { clock: { advance: 'P0D' } }, status: 400, blind: true },
  ],
}
