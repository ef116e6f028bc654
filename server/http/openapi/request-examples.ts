export interface RequestExample {
  summary: string
  value: unknown
}

const ACCOUNT = 'acc_1893499200000_0a1b2c3d4e5f6g7h'
const CHARGE = 'cg_1893499200000_1b2c3d4e5f6g7h8i'
const EVENT = 'evt_1893499200000_1l2m3n4o5p6q7r8s'
const ENTITY = 'le_1893499200000_5f6g7h8i9j0k1l2m'
const METHOD = 'pm_1893499200000_4e5f6g7h8i9j0k1l'
const TOKEN = 'tok_8f3a61c09d'

const ADDRESS = {
  line1: '12 rue des Lilas',
  line4: 'Lyon',
  line5: '69003',
  line6: 'FR-ARA',
  country: 'FR',
}

const PROCESSOR = {
  name: 'stripe',
  secret_key: 'sk_test_51Example000000000000000000000000',
  publishable_key: 'pk_test_51Example000000000000000000000000',
}

const example = (summary: string, value: object): RequestExample => ({ summary, value })

/** Example bodies by operation id and name. */
export const REQUEST_EXAMPLES: Record<string, Record<string, RequestExample>> = {
  create_account: {
    minimal: example('An account with a crm_key only', { account: { crm_key: 'customer-7' } }),
    full: example('An account with all members', {
      account: {
        crm_key: 'customer-7',
        first_name: 'Ada',
        last_name: 'Lovelace',
        company: 'Analytical Engines Ltd',
        email: 'ada@example.com',
        phone: '+33 4 12 34 56 78',
        address: ADDRESS,
        metadata: { tier: 'gold' },
        tags: 'vip,newsletter',
        locale: 'fr-FR',
        timezone: 'Europe/Paris',
      },
    }),
  },
  update_account: {
    change: example('A new phone number; the other members stay', {
      account: { phone: '+33 4 98 76 54 32' },
    }),
    clear: example('Remove a member, and one line of the address', {
      account: { company: null, address: { line2: null } },
    }),
  },
  update_preferences: {
    view: example('Keep a view of a list', {
      preferences: {
        views: [{ name: 'Large', list: 'payments', query: 'where=amount%3E%3D1000' }],
      },
    }),
    look: example('Dark, with times of Paris', {
      preferences: { theme: 'dark', timezone: 'Europe/Paris' },
    }),
  },
  create_view: {
    large: example('Large payments, for everybody', {
      view: { name: 'Large', list: 'payments', query: 'where=amount%3E%3D1000' },
    }),
  },
  update_contract: {
    pause: example('Make no charges for now', { contract: { status: 'PAUSED' } }),
    method: example('Collect from another stored method', { contract: { payment_method: METHOD } }),
  },
  update_charge: {
    postpone: example('Give the customer more time', { charge: { due: '2031-03-31T09:00:00Z' } }),
    reduce: example('Lower the amount', { charge: { amount: '20.00' } }),
    write_off: example('Stop collecting', { charge: { status: 'WRITTENOFF' } }),
  },
  create_payment_link: {
    minimal: example('The payer types the amount, in the currency of the instance', {
      payment_link: {},
    }),
    order: example('A fixed amount for an order', {
      payment_link: {
        options: {
          amount: '24.00',
          currency: 'EUR',
          name: 'Two bags of coffee',
          alt_key: 'order-1001',
          success_url: 'https://shop.example/thanks',
        },
        state: { cart: 'c_1001' },
      },
    }),
    customer: example('For an existing account, with a custom receipt and an expiry time', {
      payment_link: {
        expires: '2031-01-31T09:00:00Z',
        options: {
          account: ACCOUNT,
          amount: '24.00',
          currency: 'EUR',
          description: 'Invoice 2031-17',
          name: 'Invoice 2031-17',
          page_intro: 'Thank you for your order.',
          page_success_message: 'Your invoice is paid.',
          save_card: true,
          timezone: 'Europe/Paris',
        },
      },
    }),
    donation: example('The payer chooses amount and comment; details are filled in', {
      payment_link: {
        options: {
          account: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
          allow_description: true,
          channel: 'web',
          currency: 'EUR',
          default_amount: '10.00',
          default_description: 'For the library',
          default_save_card: false,
          pending_url: 'https://shop.example/pending',
          skip_receipt: true,
          success_url: 'https://shop.example/thanks',
        },
      },
    }),
  },
  create_deep_link: {
    tickets: example('A hundred tickets at a fixed price', {
      deep_link: {
        action: 'PAY',
        max_uses: 100,
        expires: '2031-01-31T09:00:00Z',
        options: { name: 'Concert', amount: '24.00', currency: 'EUR' },
      },
    }),
    poster: example('A poster: everybody chooses an amount', {
      deep_link: {
        action: 'PAY',
        slug: 'donate',
        options: { name: 'Library fund', default_amount: '10.00', currency: 'EUR' },
      },
    }),
  },
  update_deep_link: {
    more: example('Sell more', { deep_link: { max_uses: 150 } }),
    price: example('Change one option and keep the others', {
      mode: 'PATCH',
      deep_link: { options: { amount: '26.00' } },
    }),
    clear: example('Without an end and without a slug', {
      deep_link: { expires: null, slug: null },
    }),
  },
  update_payment_link: {
    merge: example('Change one option and keep the others', {
      mode: 'PATCH',
      payment_link: { options: { amount: '26.00' } },
    }),
    replace: example('Replace all options', {
      payment_link: { options: { amount: '26.00', currency: 'EUR' } },
    }),
    extend: example('Move the end', { payment_link: { expires: '2031-06-30T21:59:59Z' } }),
  },
  send_payment_link: {
    minimal: example('In the language of the customer', { mail: { to: 'ada@example.com' } }),
    german: example('In German', { mail: { to: 'ada@example.com', language: 'de' } }),
  },
  create_payment: {
    minimal: example('Take money from a stored method', {
      payment: { amount: '24.00', payment_method: METHOD },
    }),
    full: example('With all members', {
      payment: {
        action: 'PAYMENT',
        amount: '24.00',
        currency: 'EUR',
        account: ACCOUNT,
        payment_method: METHOD,
        alt_key: 'order-1001',
        description: 'Two bags of coffee',
        source: 'MOTO',
        channel: 'telephone',
        metadata: { cart: 'c_1001' },
        timeout: 20,
      },
    }),
    new_method: example('Take money with a token, and store the method for a new customer', {
      payment: {
        amount: '24.00',
        currency: 'EUR',
        account: { crm_key: 'customer-8', email: 'grace@example.com' },
        payment_method: { token: TOKEN, type: 'CARD', save: true },
      },
    }),
    authorization: example('Reserve money, to capture it later', {
      payment: {
        action: 'AUTH',
        amount: '100.00',
        currency: 'EUR',
        payment_method: METHOD,
        alt_key: 'rental-55',
      },
    }),
    scheduled: example('Take money on a day to come', {
      payment: {
        amount: '24.00',
        currency: 'EUR',
        payment_method: METHOD,
        due: '2031-01-31T09:00:00Z',
      },
    }),
    recurring: example('Take money now, and every month for a year', {
      payment: {
        amount: '9.00',
        currency: 'EUR',
        payment_method: METHOD,
        alt_key: 'membership-7',
        description: 'Membership',
        recurring: { frequency: 'MONTH', interval: 1, count: 12 },
      },
    }),
    charges: example('Pay a part of a charge', {
      payment: {
        amount: '12.00',
        currency: 'EUR',
        payment_method: METHOD,
        parts: [{ charge: CHARGE, amount: '12.00' }],
      },
    }),
  },
  capture_payment: {
    all: example('Capture all that is open', { capture: {} }),
    part: example('Capture a part and release the rest', {
      capture: { amount: '60.00', currency: 'EUR', final: true },
    }),
  },
  refund_payment: {
    all: example('Refund all that is left', { refund: {} }),
    part: example('Refund a part', {
      refund: { amount: '10.00', currency: 'EUR', reason: 'Returned', reference: 'CREDIT-17' },
    }),
    offline: example('Record a refund that was made another way', {
      refund: { amount: '10.00', offline: true, reason: 'Paid back in cash' },
    }),
  },
  void_payment: { all: example('Release all that is open', { void: {} }) },
  check_payment: { check: example('There is nothing to say', {}) },
  resolve_refund: {
    done: example('The manual refund succeeded', { refund: { status: 'SUCCESS' } }),
    impossible: example('The refund could not be made', { refund: { status: 'DECLINED' } }),
  },
  update_string: {
    base: example('Override the base string', { string: { text: 'Donate {amount}' } }),
    translation: example('Replace a translation', {
      string: { text: 'Donner {amount}', language: 'fr' },
    }),
  },
  update_strings: {
    translation: example('Replace several strings of one language', {
      strings: [
        { id: 'checkout.pay', text: 'Donner {amount}', language: 'fr' },
        { id: 'checkout.amount', text: 'Votre don', language: 'fr' },
      ],
    }),
  },
  update_string_acks: {
    translation: example('A translation is still right', {
      string_acks: [{ id: 'checkout.pay', language: 'fr', stale_hash: 'Zx3kq0mB1nV7c2LdW9aQeT' }],
    }),
  },
  preview_string_import: {
    french: example('A file of a translator', {
      string_import: {
        format: 'JSON',
        language: 'fr',
        content: '{"checkout.pay": "Donner {amount}", "methods.title": null}',
      },
    }),
  },
  create_string_revision: {
    languages: example('Two languages at once', {
      revision: {
        base_version: 1,
        note: 'Donations instead of payments',
        changes: [
          { id: 'checkout.pay', text: 'Donate {amount}' },
          { id: 'checkout.pay', text: 'Donner {amount}', language: 'fr' },
        ],
      },
    }),
    remove: example('Back to the inherited text', {
      revision: { base_version: 1, changes: [{ id: 'methods.title', text: null }] },
    }),
  },
  revert_string_revision: {
    note: example('With a note', { revision: { note: 'Payments after all' } }),
  },
  invite_user: {
    editor: example('An editor of the French wording', {
      user: {
        email: 'camille@shop.example',
        name: 'Camille Martin',
        role: 'EDITOR',
        instances: ['default'],
        languages: ['fr'],
      },
    }),
    viewer: example('A person who only reads, in one instance', {
      user: { email: 'books@shop.example', role: 'VIEWER', instances: ['default'] },
    }),
  },
  update_user: {
    role: example('Another role', { user: { role: 'SUPPORT' } }),
    disable: example('Keep the user from signing in', { user: { disabled: true } }),
  },
  send_user_invitation: { send: example('There is nothing to say', {}) },
  create_secret_key: {
    whole: example('A key that may do everything', { secret_key: { name: 'Shop' } }),
    restricted: example('A key that may only read, until a time', {
      secret_key: {
        name: 'Accounting',
        scopes: ['payments:read', 'charges:read'],
        expires: '2090-01-01T00:00:00Z',
      },
    }),
    rotate: example('A key in place of another, which works for 24 more hours', {
      secret_key: { replaces: 'key_1893499200000_3n4o5p6q7r8s9t0u' },
    }),
  },
  update_secret_key: {
    change: example('Another name; the expiry stays', { secret_key: { name: 'Old accounting' } }),
    expire: example('End the key at a time', { secret_key: { expires: '2090-01-01T00:00:00Z' } }),
  },
  create_instance_webhook: {
    minimal: example('Receive every event', {
      instance_webhook: { url: 'https://shop.example/hooks/checkstand', events: ['*'] },
    }),
    chosen: example('Receive some events, beginning later', {
      instance_webhook: {
        url: 'https://shop.example/hooks/checkstand',
        events: ['payment_link.payment_success', 'refund.*'],
        description: 'Orders',
        enabled: false,
      },
    }),
  },
  update_instance_webhook: {
    enable: example('Send again', { instance_webhook: { enabled: true } }),
    move: example('Send somewhere else', {
      instance_webhook: { url: 'https://hooks.shop.example/checkstand' },
    }),
  },
  anonymise_account: { anonymise: example('There is nothing to say', {}) },
  test_instance_webhook: { send: example('Send a test event', {}) },
  rotate_instance_webhook: { rotate: example('There is nothing to say', {}) },
  replay_instance_webhook: {
    event: example('Send one event again', { replay: { event: EVENT } }),
    range: example('Send all events of a kind since a moment', {
      replay: { type: 'account.*', from: '2030-01-31T00:00:00Z' },
    }),
  },
  update_instance: {
    languages: example('Offer two languages', { instance: { languages: ['fr', 'de'] } }),
    look: example('Name, colors, and who may embed the checkout', {
      instance: {
        name: 'Corner Shop',
        theme: { accent: '#0b6b4f', radius: '8px' },
        allowed_origins: ['https://shop.example'],
      },
    }),
    branding: example('Another look for one sales channel', {
      instance: {
        brandings: [{ key: 'kids', name: 'Corner Shop Kids', channels: ['kids-web'] }],
      },
    }),
  },
  create_legal_entity: {
    minimal: example('A company, which becomes the default if it is the first', {
      legal_entity: { legal_name: 'Atelier Nord SAS', country: 'FR' },
    }),
    full: example('A company with everything that payers see', {
      legal_entity: {
        alt_key: 'nord-fr',
        name: 'Nord France',
        legal_name: 'Atelier Nord SAS',
        country: 'FR',
        registration_number: '303 265 045',
        registered_at: 'RCS Lyon',
        tax_ids: [{ type: 'VAT', country: 'FR', value: 'FR40303265045' }],
        address: { line1: '12 rue des Lilas', line4: 'Lyon', line5: '69003', country: 'FR' },
        email: 'hello@nord.example',
        url: 'https://nord.example/legal',
        terms_url: 'https://nord.example/terms',
        privacy_url: 'https://nord.example/privacy',
        statement_descriptor: 'NORD ATELIER',
        receipt_footer: 'Goods may be returned within 30 days.',
        currencies: ['EUR'],
      },
    }),
  },
  update_legal_entity: {
    change: example('Another footer; receipts of the past keep theirs', {
      legal_entity: { receipt_footer: 'Thank you.' },
    }),
    default: example('Make it the default', { legal_entity: { default: true } }),
  },
  create_legal_entity_route: {
    country: example('Payers in two countries', {
      legal_entity_route: { legal_entity: ENTITY, when: { country: ['FR', 'BE'] }, position: 1 },
    }),
    wholesale: example('Large payments of some customers', {
      legal_entity_route: {
        legal_entity: ENTITY,
        when: { account_tag: ['wholesale'], amount: { from: '1000.00', currency: 'EUR' } },
        description: 'Invoiced by the company',
      },
    }),
  },
  update_legal_entity_route: {
    move: example('Try it first', { legal_entity_route: { position: 1 } }),
    pause: example('Skip it for now', { legal_entity_route: { enabled: false } }),
  },
  replace_legal_entity_routes: {
    order: example('Two routes', {
      legal_entity_routes: [
        { legal_entity: ENTITY, when: { currency: ['EUR'], channel: ['web'] } },
        { legal_entity: ENTITY, when: { source: ['MOTO'] } },
      ],
    }),
  },
  resolve_legal_entity: {
    payment: example('A payment from France', {
      payment: { amount: '24.00', currency: 'EUR', country: 'FR', channel: 'web' },
    }),
  },
  create_processor: {
    stripe: example('A test account at Stripe', { processor: PROCESSOR }),
    methods: example('With a webhook endpoint of your own, and more methods', {
      processor: {
        ...PROCESSOR,
        webhook_secret: 'whsec_Example0Signing0Secret',
        settings: { methods: ['CARD', 'IDEAL'], currencies: ['EUR'], saved_csc: 'NONE' },
      },
    }),
  },
  update_processor: {
    key: example('Another key of the same account', {
      processor: { secret_key: PROCESSOR.secret_key },
    }),
    settings: example('Other methods; the other settings stay', {
      processor: { settings: { methods: ['CARD', 'BANCONTACT'], statement_suffix: null } },
    }),
  },
  check_processor: { check: example('There is nothing to say', {}) },
  rotate_processor_webhook_secret: {
    endpoint: example('Another endpoint is made', {}),
    own: example('The secret of an endpoint that you made', {
      processor: { webhook_secret: 'whsec_Example0Signing0Secret' },
    }),
  },
  update_checkout_alerts: {
    approvals: example('Approvals fall, or nobody pays', {
      checkout_monitor: {
        alerts: [
          {
            name: 'Approvals fell',
            measure: 'APPROVAL',
            below: '0.7',
            window_minutes: 60,
            minimum: 20,
          },
          { name: 'No payments', measure: 'SUBMITTED', below: 1, window_minutes: 240 },
        ],
      },
    }),
    none: example('No alerts', { checkout_monitor: { alerts: [] } }),
  },
  move_test_clock: {
    advance: example('Move a month forward', { clock: { advance: 'P1M' } }),
    now: example('Move to a moment', { clock: { now: '2031-01-01T00:00:00Z' } }),
  },
  open_checkout: {
    plain: example('In the language of the browser', {}),
    french: example('In a language that the payer chose', { language: 'fr' }),
  },
  open_deep_link_checkout: {
    plain: example('In the language of the browser', {}),
  },
  submit_checkout: {
    card: example('Pay with a new card', {
      attempt_key: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
      options_v: 1,
      amount: '24.00',
      currency: 'EUR',
      account: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
      payment_method: { type: 'CARD', processor: 'sandbox', token: TOKEN },
      save_card: true,
    }),
  },
  open_task: {
    plain: example('In a browser that has no session yet', {}),
    again: example('In the browser that has the session', {
      token: 'dst_1893499200000_8i9j0k1l2m3n4o5p_abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq',
      language: 'fr',
    }),
  },
  save_task_payment_method: {
    card: example('Save a card', {
      attempt_key: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
      payment_method: { type: 'CARD', processor: 'sandbox', token: TOKEN },
    }),
  },
  change_task_contract: {
    pause: example('Pause the contract', { change: 'PAUSE' }),
    cancel: example('Cancel the contract', { change: 'CANCEL' }),
  },
  create_sandbox_token: {
    card: example('A card that is approved', {
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2035, csc: '123' },
    }),
    bank_account: example('A bank account that can be debited', {
      bank_account: { iban: 'GB35SAND00000000000077', holder: 'Ada Lovelace' },
    }),
  },
}
