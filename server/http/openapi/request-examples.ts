export interface RequestExample {
  summary: string
  value: unknown
}

const ACCOUNT = 'acc_1893499200000_0a1b2c3d4e5f6g7h'
const CHARGE = 'cg_1893499200000_1b2c3d4e5f6g7h8i'
const EVENT = 'evt_1893499200000_1l2m3n4o5p6q7r8s'
const METHOD = 'pm_1893499200000_4e5f6g7h8i9j0k1l'
const TOKEN = 'tok_8f3a61c09d'

const ADDRESS = {
  line1: '12 rue des Lilas',
  line4: 'Lyon',
  line5: '69003',
  line6: 'FR-ARA',
  country: 'FR',
}

/** Example bodies by operation id and name. */
export const REQUEST_EXAMPLES: Record<string, Record<string, RequestExample>> = {
  create_account: {
    minimal: {
      summary: 'An account with a crm_key only',
      value: { account: { crm_key: 'customer-7' } },
    },
    full: {
      summary: 'An account with all members',
      value: {
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
      },
    },
  },
  update_account: {
    change: {
      summary: 'A new phone number; the other members stay',
      value: { account: { phone: '+33 4 98 76 54 32' } },
    },
    clear: {
      summary: 'Remove a member, and one line of the address',
      value: { account: { company: null, address: { line2: null } } },
    },
  },
  update_contract: {
    pause: { summary: 'Make no charges for now', value: { contract: { status: 'PAUSED' } } },
    method: {
      summary: 'Collect from another stored method',
      value: { contract: { payment_method: METHOD } },
    },
  },
  update_charge: {
    postpone: {
      summary: 'Give the customer more time',
      value: { charge: { due: '2031-03-31T09:00:00Z' } },
    },
    reduce: { summary: 'Lower the amount', value: { charge: { amount: '20.00' } } },
    write_off: { summary: 'Stop collecting', value: { charge: { status: 'WRITTENOFF' } } },
  },
  create_payment_link: {
    minimal: {
      summary: 'The payer types the amount, in the currency of the instance',
      value: { payment_link: {} },
    },
    order: {
      summary: 'A fixed amount for an order',
      value: {
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
      },
    },
    customer: {
      summary: 'For an existing account, with a custom receipt and an expiry time',
      value: {
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
      },
    },
    donation: {
      summary: 'The payer chooses amount and comment; details are filled in',
      value: {
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
      },
    },
  },
  update_payment_link: {
    merge: {
      summary: 'Change one option and keep the others',
      value: { mode: 'PATCH', payment_link: { options: { amount: '26.00' } } },
    },
    replace: {
      summary: 'Replace all options',
      value: { payment_link: { options: { amount: '26.00', currency: 'EUR' } } },
    },
    extend: {
      summary: 'Move the end',
      value: { payment_link: { expires: '2031-06-30T21:59:59Z' } },
    },
  },
  create_payment: {
    minimal: {
      summary: 'Take money from a stored method',
      value: { payment: { amount: '24.00', payment_method: METHOD } },
    },
    full: {
      summary: 'With all members',
      value: {
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
      },
    },
    new_method: {
      summary: 'Take money with a token, and store the method for a new customer',
      value: {
        payment: {
          amount: '24.00',
          currency: 'EUR',
          account: { crm_key: 'customer-8', email: 'grace@example.com' },
          payment_method: { token: TOKEN, type: 'CARD', save: true },
        },
      },
    },
    authorization: {
      summary: 'Reserve money, to capture it later',
      value: {
        payment: {
          action: 'AUTH',
          amount: '100.00',
          currency: 'EUR',
          payment_method: METHOD,
          alt_key: 'rental-55',
        },
      },
    },
    scheduled: {
      summary: 'Take money on a day to come',
      value: {
        payment: {
          amount: '24.00',
          currency: 'EUR',
          payment_method: METHOD,
          due: '2031-01-31T09:00:00Z',
        },
      },
    },
    recurring: {
      summary: 'Take money now, and every month for a year',
      value: {
        payment: {
          amount: '9.00',
          currency: 'EUR',
          payment_method: METHOD,
          alt_key: 'membership-7',
          description: 'Membership',
          recurring: { frequency: 'MONTH', interval: 1, count: 12 },
        },
      },
    },
    charges: {
      summary: 'Pay a part of a charge',
      value: {
        payment: {
          amount: '12.00',
          currency: 'EUR',
          payment_method: METHOD,
          parts: [{ charge: CHARGE, amount: '12.00' }],
        },
      },
    },
  },
  capture_payment: {
    all: { summary: 'Capture all that is open', value: { capture: {} } },
    part: {
      summary: 'Capture a part and release the rest',
      value: { capture: { amount: '60.00', currency: 'EUR', final: true } },
    },
  },
  refund_payment: {
    all: { summary: 'Refund all that is left', value: { refund: {} } },
    part: {
      summary: 'Refund a part',
      value: {
        refund: { amount: '10.00', currency: 'EUR', reason: 'Returned', reference: 'CREDIT-17' },
      },
    },
    offline: {
      summary: 'Record a refund that was made another way',
      value: { refund: { amount: '10.00', offline: true, reason: 'Paid back in cash' } },
    },
  },
  void_payment: { all: { summary: 'Release all that is open', value: { void: {} } } },
  resolve_refund: {
    done: {
      summary: 'The manual refund succeeded',
      value: { refund: { status: 'SUCCESS' } },
    },
    impossible: {
      summary: 'The refund could not be made',
      value: { refund: { status: 'DECLINED' } },
    },
  },
  update_string: {
    base: {
      summary: 'Override the base string',
      value: { string: { text: 'Donate {amount}' } },
    },
    translation: {
      summary: 'Replace a translation',
      value: { string: { text: 'Donner {amount}', language: 'fr' } },
    },
  },
  update_strings: {
    translation: {
      summary: 'Replace several strings of one language',
      value: {
        strings: [
          { id: 'checkout.pay', text: 'Donner {amount}', language: 'fr' },
          { id: 'checkout.amount', text: 'Votre don', language: 'fr' },
        ],
      },
    },
  },
  create_instance_webhook: {
    minimal: {
      summary: 'Receive every event',
      value: {
        instance_webhook: { url: 'https://shop.example/hooks/checkstand', events: ['*'] },
      },
    },
    chosen: {
      summary: 'Receive some events, beginning later',
      value: {
        instance_webhook: {
          url: 'https://shop.example/hooks/checkstand',
          events: ['payment_link.payment_success', 'refund.*'],
          description: 'Orders',
          enabled: false,
        },
      },
    },
  },
  update_instance_webhook: {
    enable: { summary: 'Send again', value: { instance_webhook: { enabled: true } } },
    move: {
      summary: 'Send somewhere else',
      value: { instance_webhook: { url: 'https://hooks.shop.example/checkstand' } },
    },
  },
  rotate_instance_webhook: { rotate: { summary: 'There is nothing to say', value: {} } },
  replay_instance_webhook: {
    event: { summary: 'Send one event again', value: { replay: { event: EVENT } } },
    range: {
      summary: 'Send all events of a kind since a moment',
      value: { replay: { type: 'account.*', from: '2030-01-31T00:00:00Z' } },
    },
  },
  update_instance: {
    languages: {
      summary: 'Offer two languages',
      value: { instance: { languages: ['fr', 'de'] } },
    },
    look: {
      summary: 'Name, colors, and who may embed the checkout',
      value: {
        instance: {
          name: 'Corner Shop',
          theme: { accent: '#0b6b4f', radius: '8px' },
          allowed_origins: ['https://shop.example'],
        },
      },
    },
    branding: {
      summary: 'Another look for one sales channel',
      value: {
        instance: {
          brandings: [{ key: 'kids', name: 'Corner Shop Kids', channels: ['kids-web'] }],
        },
      },
    },
  },
  move_test_clock: {
    advance: { summary: 'Move a month forward', value: { clock: { advance: 'P1M' } } },
    now: {
      summary: 'Move to a moment',
      value: { clock: { now: '2031-01-01T00:00:00Z' } },
    },
  },
  open_checkout: {
    plain: { summary: 'In the language of the browser', value: {} },
    french: { summary: 'In a language that the payer chose', value: { language: 'fr' } },
  },
  submit_checkout: {
    card: {
      summary: 'Pay with a new card',
      value: {
        attempt_key: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
        options_v: 1,
        amount: '24.00',
        currency: 'EUR',
        account: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
        payment_method: { type: 'CARD', processor: 'sandbox', token: TOKEN },
        save_card: true,
      },
    },
  },
  create_sandbox_token: {
    card: {
      summary: 'A card that is approved',
      value: { card: { number: '4242424242424242', exp_month: 12, exp_year: 2035, csc: '123' } },
    },
    bank_account: {
      summary: 'A bank account that can be debited',
      value: { bank_account: { iban: 'GB35SAND00000000000077', holder: 'Ada Lovelace' } },
    },
  },
}
