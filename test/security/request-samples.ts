/**
 * For each route that takes a body, requests that together have every text that a request to it can
 * have. Metadata and `state` have one member each, named `note`.
 */

const ADDRESS = {
  line1: '1 High Street',
  line2: 'Back door',
  line3: 'Left',
  line4: 'Springfield',
  line5: '12345',
  line6: 'US-CA',
  country: 'US',
}

const DETAILS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  email: 'ada@shop.example',
  phone: '+44 20 7946 0000',
  address: ADDRESS,
  metadata: { note: 'text' },
  tags: 'a,b',
  locale: 'en-GB',
  timezone: 'Europe/London',
  channel: 'web',
  division: 'North',
  crm: 'salesforce',
}

const ENTITY = {
  alt_key: 'nord',
  name: 'Nord',
  legal_name: 'Atelier Nord SAS',
  type: 'ORGANISATION',
  registration_number: '303 265 045',
  registered_at: 'RCS Lyon',
  tax_ids: [{ type: 'VAT', country: 'FR', value: 'FR40303265045' }],
  address: ADDRESS,
  country: 'FR',
  email: 'nord@shop.example',
  phone: '+33 4 12 34 56 78',
  url: 'https://shop.example/legal',
  statement_descriptor: 'NORD ATELIER',
  receipt_footer: 'Thank you',
  terms_url: 'https://shop.example/terms',
  privacy_url: 'https://shop.example/privacy',
  logo: 'https://shop.example/logo.svg',
  currencies: ['EUR'],
}

const ROUTE = {
  legal_entity: 'le_1_a',
  when: {
    currency: ['EUR'],
    country: ['FR'],
    channel: ['web'],
    branding: ['b'],
    source: ['MOTO'],
    account_tag: ['vip'],
    amount: { from: '1.00', to: '2.00', currency: 'EUR' },
  },
  processor: 'pr_1_a',
  description: 'Note',
}

const WHEN = '2031-01-31T09:00:00Z'

const OPTIONS = {
  account: {
    address: ADDRESS,
    crm_key: 'c-1',
    email: 'ada@shop.example',
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+44 20 7946 0000',
  },
  alt_key: 'order-1',
  amount: '12.50',
  description: 'Coffee',
  currency: 'EUR',
  default_alt_key: 'order-2',
  default_amount: '10.00',
  default_description: 'Tea',
  name: 'Shop',
  page_intro: 'Hello',
  page_pending_message: 'Wait',
  page_success_message: 'Thanks',
  pending_url: 'https://shop.example/pending',
  success_url: 'https://shop.example/thanks',
  source: 'ECOMMERCE',
  legal_entity: 'le_1_a',
  channel: 'web',
  timezone: 'Europe/London',
}

/** The amounts that exclude `amount`. */
const AMOUNT_OPTIONS = [
  { amount_min: '5.00', amount_max: '50.00', amount_presets: ['10.00'] },
  { unit_amount: '12.00', quantity_max: 8 },
]

const LINKS = [
  { payment_link: { expires: WHEN, options: OPTIONS, state: { note: 'text' } } },
  { payment_link: { options: { account: 'acc_1_a', amount: null, charges: ['rent'] } } },
  {
    payment_link: {
      options: { charges: null, recurring: { frequency: 'MONTH', until: WHEN } },
    },
  },
  { payment_link: { options: { account: 'acc_1_a' }, state: 'text' } },
  ...AMOUNT_OPTIONS.map((options) => ({ payment_link: { options } })),
]

const PARTS = [{ charge: 'cg_1_a', amount: '1.00' }]

const SCOPE = { language: 'en', branding: 'b' }
const STRING = { text: 'Pay', ...SCOPE }

const WEBHOOK = { url: 'https://shop.example/hook', events: ['*'], description: 'Shop' }

const OPENINGS = [
  {
    strings_hash: 'a'.repeat(64),
    language: 'en',
    branding: 'b',
    embedded_origin: 'https://shop.example',
  },
]

export const SAMPLES: Readonly<Record<string, readonly object[]>> = {
  'post /accounts': [{ account: { crm_key: 'c-1', ...DETAILS } }],
  'put /accounts/:account_id': [{ account: DETAILS }],
  'post /accounts/:account_id/anonymise': [{}],
  'put /contracts/:contract_id': [
    { contract: { status: 'PAUSED', payment_method: 'pm_1_a', description: 'Box' } },
  ],
  'put /charges/:charge_id': [{ charge: { status: 'ACTIVE', amount: '1.00', due: WHEN } }],
  'post /payment_links': LINKS,
  'put /payment_links/:id': LINKS.map((link) => ({ mode: 'PATCH', ...link })),
  'post /payment_links/:id/send': [{ mail: { to: 'ada@example.com', language: 'de' } }],
  'post /deep_links': [
    { deep_link: { action: 'PAY', slug: 'donate', expires: WHEN, options: OPTIONS } },
    {
      deep_link: {
        action: 'ADD_PAYMENT_METHOD',
        account: 'acc_1_a',
        contract: 'co_1_a',
        options: { account: 'acc_1_a' },
      },
    },
    { deep_link: { action: 'PAY_CHARGES', account: 'acc_1_a', charges: ['cg_1_a'] } },
    { deep_link: { action: 'PAY', options: { account: 'acc_1_a', charges: ['rent'] } } },
    { deep_link: { action: 'PAY', options: { recurring: { frequency: 'MONTH', until: WHEN } } } },
    ...AMOUNT_OPTIONS.map((options) => ({ deep_link: { action: 'PAY', options } })),
  ],
  'put /deep_links/:id': [
    { mode: 'PATCH', deep_link: { slug: 'donate', expires: WHEN, options: OPTIONS } },
    { deep_link: { options: { account: 'acc_1_a' } } },
    { deep_link: { options: { account: 'acc_1_a', amount: null, charges: ['rent'] } } },
    { deep_link: { options: { charges: null, recurring: { frequency: 'MONTH', until: WHEN } } } },
    ...AMOUNT_OPTIONS.map((options) => ({ deep_link: { options } })),
  ],
  'post /payments': [
    {
      payment: {
        action: 'PAYMENT',
        amount: '1.00',
        currency: 'EUR',
        account: { crm_key: 'c-1', ...DETAILS },
        payment_method: { token: 'tok_a', type: 'CARD', processor: 'sandbox' },
        alt_key: 'order-1',
        description: 'Coffee',
        reason: 'Order',
        source: 'MOTO',
        channel: 'web',
        legal_entity: 'le_1_a',
        metadata: { note: 'text' },
        due: WHEN,
        recurring: { frequency: 'DAY', until: WHEN },
        parts: PARTS,
      },
    },
    { payment: { amount: '1.00', account: 'acc_1_a', payment_method: 'pm_1_a' } },
  ],
  'post /payments/:payment_id/capture': [
    {
      capture: { amount: '1.00', currency: 'EUR', alt_key: 'order-1', description: 'Coffee' },
    },
  ],
  'post /payments/:payment_id/refund': [
    {
      refund: {
        amount: '1.00',
        currency: 'EUR',
        reason: 'Broken',
        reference: 'r-1',
        parts: PARTS,
      },
    },
  ],
  'post /payments/:payment_id/void': [{}],
  'post /payments/:payment_id/check': [{}],
  'put /refunds/:id': [{ refund: { status: 'SUCCESS' } }],
  'put /strings/:string_id': [{ string: { id: 'methods.title', ...STRING } }],
  'post /strings': [{ strings: [{ id: 'methods.title', ...STRING }] }],
  'put /string_acks': [
    { string_acks: [{ id: 'methods.title', ...SCOPE, stale_hash: 'x'.repeat(22) }] },
  ],
  'post /string_imports': [{ string_import: { format: 'JSON', ...SCOPE, content: '{}' } }],
  'post /string_revisions': [
    {
      revision: {
        base_version: 1,
        note: 'Spring',
        changes: [{ id: 'methods.title', ...STRING }],
      },
    },
  ],
  'post /string_revisions/:id/revert': [{ revision: { note: 'Summer' } }],
  'post /instance_webhooks': [{ instance_webhook: WEBHOOK }],
  'put /instance_webhooks/:id': [{ instance_webhook: WEBHOOK }],
  'post /instance_webhooks/:id/rotate': [{}],
  'post /instance_webhooks/:id/test': [{}],
  'post /users': [
    {
      user: {
        email: 'eve@shop.example',
        name: 'Eve',
        role: 'EDITOR',
        instances: ['default'],
        languages: ['fr'],
      },
    },
  ],
  'put /users/:id': [
    {
      user: {
        name: 'Eve',
        role: 'EDITOR',
        instances: ['default'],
        languages: ['fr'],
        disabled: false,
      },
    },
  ],
  'post /users/:id/invitation': [{}],
  'put /preferences': [
    {
      preferences: {
        theme: 'dark',
        density: 'compact',
        timezone: 'Europe/Paris',
        columns: { note: ['amount'] },
        views: [{ name: 'Large', list: 'payments', query: 'tab=paid' }],
      },
    },
  ],
  'post /views': [{ view: { name: 'Large', list: 'payments', query: 'tab=all' } }],
  'post /secret_keys': [
    {
      secret_key: {
        name: 'Shop',
        scopes: ['payments:read'],
        expires: WHEN,
        allowed_addresses: ['203.0.113.0/24'],
        replaces: 'key_1_a',
      },
    },
  ],
  'put /secret_keys/:id': [
    { secret_key: { name: 'Shop', expires: WHEN, allowed_addresses: ['203.0.113.0/24'] } },
  ],
  'post /instance_webhooks/:id/replay': [
    { replay: { event: 'evt_1_a', type: '*', from: WHEN, to: WHEN } },
  ],
  'post /legal_entities': [{ legal_entity: ENTITY }],
  'put /legal_entities/:id': [{ legal_entity: ENTITY }],
  'post /legal_entity_routes': [{ legal_entity_route: { ...ROUTE, position: 1 } }],
  'put /legal_entity_routes': [{ legal_entity_routes: [{ id: 'ler_1_a', ...ROUTE }] }],
  'put /legal_entity_routes/:id': [{ legal_entity_route: { ...ROUTE, position: 1 } }],
  'post /legal_entity_routes/resolve': [
    {
      payment: {
        amount: '1.00',
        currency: 'EUR',
        country: 'FR',
        channel: 'web',
        branding: 'b',
        source: 'ECOMMERCE',
        account_tag: ['vip'],
        processor: 'sandbox',
      },
    },
  ],
  'post /processors': [
    {
      processor: {
        name: 'stripe',
        secret_key: 'sk_test_51Sample0Key',
        publishable_key: 'pk_test_51Sample0Key',
        webhook_secret: 'whsec_Sample0Secret',
        settings: { statement_suffix: 'Shop' },
      },
    },
  ],
  'put /processors/:id': [
    {
      processor: {
        secret_key: 'sk_test_51Sample0Key',
        publishable_key: 'pk_test_51Sample0Key',
        webhook_secret: 'whsec_Sample0Secret',
        settings: { statement_suffix: 'Shop' },
      },
    },
  ],
  'post /processors/:id/check': [{}],
  'post /processors/:id/rotate_webhook_secret': [
    { processor: { webhook_secret: 'whsec_Sample0Secret' } },
  ],
  'put /instances/:key': [
    {
      instance: {
        name: 'Shop',
        default_currency: 'EUR',
        step_up_refund: '200.00',
        twin: 'live-shop',
        support_refund_max: '50.00',
        timezone: 'Europe/London',
        languages: ['en'],
        allowed_origins: ['https://shop.example'],
        theme: { accent: '#0b6b4f', surface: '#ffffff', text: '#16201b', radius: '8px' },
        brandings: [
          {
            key: 'b',
            name: 'Brand',
            channels: ['web'],
            logo: 'https://shop.example/logo.svg',
            theme: { accent: '#0b6b4f', surface: '#ffffff', text: '#16201b', radius: '8px' },
          },
        ],
      },
    },
  ],
  'put /checkout_monitor/alerts': [
    {
      checkout_monitor: {
        alerts: [
          { name: 'Low', measure: 'APPROVAL', below: '0.7', window_minutes: 60, minimum: 20 },
        ],
      },
    },
    {
      checkout_monitor: {
        alerts: [{ name: 'High', measure: 'CONVERSION', above: '0.9', window_minutes: 60 }],
      },
    },
  ],
  'post /go/:id/sessions': [{ token: 'dst_1_a_b', language: 'fr' }],
  'post /go/sessions/current/payment_method': [
    {
      attempt_key: '7f0a1c0e-4b1d-4f0e-9a53-0d6f0c6b8a11',
      payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_a' },
    },
  ],
  'post /go/sessions/current/contract': [{ change: 'PAUSE' }],
  'post /sandbox/clock': [{ clock: { now: WHEN } }, { clock: { advance: 'P1M' } }],
  'post /pay/:id/checkouts': OPENINGS,
  'post /go/:id/checkouts': OPENINGS,
  'post /pay/checkouts/current/submit': [
    {
      attempt_key: '7f0a1c0e-4b1d-4f0e-9a53-0d6f0c6b8a11',
      options_v: 1,
      amount: '1.00',
      currency: 'EUR',
      alt_key: 'order-1',
      description: 'Coffee',
      account: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@shop.example',
        phone: '+44 20 7946 0000',
        address: ADDRESS,
      },
      payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_a' },
      proof: '1',
    },
    {
      attempt_key: '7f0a1c0e-4b1d-4f0e-9a53-0d6f0c6b8a12',
      options_v: 1,
      payment_method: { id: 'pm_1_a', csc: '123' },
    },
    {
      attempt_key: '7f0a1c0e-4b1d-4f0e-9a53-0d6f0c6b8a13',
      options_v: 1,
      payment_method: { id: 'pm_1_a', csc_token: 'cvctok_a' },
    },
  ],
}
