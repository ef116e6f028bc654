import { z } from 'zod'
import { currency, flag, instant, instantOrNull, recordText, recordTextOrNull } from './common.ts'

/** Responses to the payer's page. */

const action = z.strictObject({
  type: z.literal('REDIRECT').describe('`REDIRECT`: the payer opens `url`.'),
  url: recordText('Confirmation page of the bank.', 'https://bank.example/confirm/8f3a'),
  in_frame: z
    .boolean()
    .optional()
    .describe(
      'True if that page may be shown inside an embedded checkout; omitted if it needs the whole window.',
    ),
})

export const submitResponse = z
  .strictObject({
    outcome: z
      .enum(['COMPLETED', 'PENDING', 'DECLINED', 'ACTION', 'TERMS_CHANGED', 'BUSY', 'GONE'])
      .describe(
        '`COMPLETED`: paid, or the free trial has begun. `PENDING`: the outcome comes later. `DECLINED`: declined; the payer may try again. `ACTION`: the bank requires a confirmation. `TERMS_CHANGED`: the link has changed; read the checkout again. `BUSY`: the link is being paid in another window. `GONE`: the link can no longer be paid.',
      ),
    redirect: z.string().optional().meta({
      description:
        'URL to which the page redirects at once, with its parameters. Omitted if a receipt is shown.',
      example: 'https://shop.example/thanks?payment_link=pl_1&status=COMPLETED',
    }),
    return_url: z
      .string()
      .optional()
      .describe('Address of the server that redirects there, and works in another browser too.'),
    action: action.optional().describe('The next action of the payer, for `ACTION`.'),
    message_id: z.string().optional().meta({
      description:
        'Id of the string that explains the outcome to the payer. Omitted if there is none.',
      example: 'errors.declined',
    }),
  })
  .meta({ id: 'SubmitAnswer', description: 'The result of a submit.' })

const storedDetails = z.strictObject({
  first_name: z.string().optional().describe('First name from the options of the link.'),
  last_name: z.string().optional().describe('Last name from the options of the link.'),
  email: z.string().optional().describe('E-mail address from the options of the link.'),
  phone: z.string().optional().describe('Phone number from the options of the link.'),
  address: z
    .record(z.string(), z.string())
    .optional()
    .describe('Lines of the address from the options of the link, by their names.'),
})

const chargeLine = z.strictObject({
  name: recordTextOrNull(
    'Description of the charge, else its `alt_key`; null if it has neither.',
    'March 2031',
  ),
  due: instantOrNull.describe('When the charge is to be paid; null for one without a date.'),
  amount: recordText('What the payment pays of the charge, in major units.', '12.00'),
})

const rhythm = z.strictObject({
  frequency: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']).describe('Unit of time between two charges.'),
  interval: z.int().meta({ description: 'Number of units between two charges.', example: 1 }),
  count: z.int().nullable().meta({
    description: 'How many charges there are in all, the first included; null for no limit.',
    example: 12,
  }),
  until: instantOrNull.describe(
    'The last moment at which a charge may fall due; null for no limit.',
  ),
  trial_days: z.int().optional().meta({
    description: 'Days of the free period before the first charge; omitted if there is none.',
    example: 14,
  }),
})

export const checkoutView = z
  .strictObject({
    id: recordTextOrNull(
      'Checkout session id; begins with `ck_`.',
      'ck_1893499200000_8i9j0k1l2m3n4o5p',
    ),
    now: instantOrNull.describe(
      'Current time by the clock of the instance; null before a session is open.',
    ),
    payment_link: recordTextOrNull(
      'Id of the payment link; null on a deep link before the first attempt.',
    ),
    deep_link: z.string().optional().meta({
      description:
        'Path of the deep link on which the payer of a paid link can pay again; otherwise omitted.',
      example: '/go/donate',
    }),
    legal_entity: z
      .strictObject({
        legal_name: recordText('Its name in law.', 'Atelier Nord SAS'),
        address: z.array(z.string()).meta({
          description: 'Lines of its address, the last one with the country.',
          example: ['12 rue des Lilas', '69003 Lyon', 'France'],
        }),
        registration: recordTextOrNull('Its register and number.', 'RCS Lyon, 303 265 045'),
        tax_ids: z
          .array(
            z.strictObject({
              type: recordText('Type of the number.', 'VAT'),
              value: recordText('The number.', 'FR40303265045'),
            }),
          )
          .describe('Its tax numbers.'),
        email: recordTextOrNull('E-mail address; null if there is none.'),
        phone: recordTextOrNull('Phone number; null if there is none.'),
        url: recordTextOrNull('Page with the legal notice; null if there is none.'),
        terms_url: recordTextOrNull('Page with the terms; null if there is none.'),
        privacy_url: recordTextOrNull('Page with the privacy policy; null if there is none.'),
        receipt_footer: recordTextOrNull('Plain text below receipts; null if there is none.'),
      })
      .optional()
      .describe(
        'Who is paid, as it was when the session was opened or the link was paid. Omitted while that is not known and if the instance has no legal entities.',
      ),
    merchant: recordText(
      'Name of the merchant or branding, fixed when the session was opened.',
      'Corner Shop',
    ),
    status: z
      .enum(['OPEN', 'SUBMITTED', 'COMPLETED', 'PENDING', 'EXPIRED', 'ABANDONED'])
      .describe(
        'As in the record of the session; a link that was paid elsewhere is `COMPLETED` or `PENDING` here too.',
      ),
    options_v: z
      .int()
      .describe('Version of the options that the checkout shows, to be sent with a payment.'),
    expires: instantOrNull.describe('When the session ends; null before it is opened.'),
    language: recordText('Language of `strings`: two letters, or `default`.', 'fr'),
    direction: z.enum(['ltr', 'rtl']).describe('Direction in which that language is written.'),
    branding: recordTextOrNull('Key of the branding; null for the look of the instance itself.'),
    timezone: recordTextOrNull('IANA time zone of dates; null if the browser decides.'),
    strings_hash: recordText('SHA-256 (hex) of `strings`.'),
    strings: z
      .record(z.string(), z.string())
      .describe(
        'Strings of the page by id, fixed when the session was opened, without those that the page already has (`known_strings`).',
      ),
    terms: z
      .strictObject({
        name: recordText(
          'Name of the link, or of the instance if the link has none.',
          'Two bags of coffee',
        ),
        intro: recordTextOrNull('Introduction to show as plain text; null if there is none.'),
        amount: recordTextOrNull(
          'Amount in major units, for one if the payer chooses a quantity; null if the payer types it.',
          '24.00',
        ),
        amount_editable: flag.describe(
          'Whether the payer may change the amount, also by choosing a quantity.',
        ),
        choice: z
          .strictObject({
            amount_min: z.string().optional().meta({
              description: 'Smallest amount in major units; omitted without a limit.',
              example: '5.00',
            }),
            amount_max: z.string().optional().meta({
              description: 'Largest amount in major units; omitted without a limit.',
              example: '500.00',
            }),
            amount_presets: z
              .array(z.string())
              .optional()
              .meta({
                description: 'Amounts to offer beside a field for another one.',
                example: ['10.00', '25.00', '50.00'],
              }),
            unit_amount: z.string().optional().meta({
              description: 'Price of one, if the payer chooses a quantity.',
              example: '12.00',
            }),
            quantity_max: z.int().optional().meta({
              description: 'How many the payer may choose at most.',
              example: 8,
            }),
          })
          .optional()
          .describe(
            'What the payer may choose to pay; omitted if the amount is fixed or without limits.',
          ),
        currency: currency.describe('Currency of the amount, ISO 4217.'),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        alt_key: recordTextOrNull('Reference; null if there is none yet.'),
        alt_key_editable: flag.describe('Whether the payer may change the reference.'),
        description: recordTextOrNull('Comment; null if there is none.'),
        description_editable: flag.describe('Whether the payer may change the comment.'),
        comment_allowed: flag.describe('Whether the payer may add a comment beside the fixed one.'),
        expires: instantOrNull.describe('When the link expires; null if it does not expire.'),
        recurring: rhythm
          .optional()
          .describe('How often the amount is charged. Omitted if it is charged once.'),
        charges: z
          .array(chargeLine)
          .optional()
          .describe(
            'The charges that the payment is for, whose sum is `amount`; empty when nothing is left to pay. Omitted if the link names no charges.',
          ),
      })
      .describe('The terms of the payment and which of them the payer may change.'),
    details: z
      .strictObject({
        needed: flag.describe('Whether details are requested; false if the link names an account.'),
        prefill: storedDetails.describe('Initial values of the fields.'),
      })
      .describe('Which details of the payer are requested.'),
    save_card: z
      .strictObject({
        show: flag.describe('Whether the payer has the choice.'),
        initial: flag.describe('Whether the checkbox is ticked at first.'),
        consent: flag.describe(
          'Whether a sentence of consent is shown in place of a checkbox: the method will be stored.',
        ),
      })
      .describe('The choice to store a new method.'),
    methods: z
      .array(
        z.strictObject({
          type: recordText('Type of the method.', 'CARD'),
          processor: recordText('Processor of the method.', 'sandbox'),
          storable: flag.describe('Whether it can be stored for later payments.'),
          token_first: flag.describe('Whether it can be used only by storing it.'),
          async: flag.describe('Whether the outcome is usually known later, as with direct debit.'),
          fields: z
            .enum(['FRAMES'])
            .optional()
            .describe(
              '`FRAMES`: the number is entered in frames of the processor. Omitted if the page has fields of its own, and if the payer enters everything at their bank.',
            ),
          needs: z
            .array(z.enum(['name', 'email', 'country']))
            .optional()
            .describe(
              'Details that the payer has to enter for this method; a first or last name is a name. Omitted if there are none.',
            ),
        }),
      )
      .describe('New methods that the payer can use. Empty once the link is paid or being paid.'),
    saved_methods: z
      .array(
        z.strictObject({
          id: recordText(
            'Payment method id; begins with `pm_`.',
            'pm_1893499200000_4e5f6g7h8i9j0k1l',
          ),
          type: recordText('Type of the method.', 'CARD'),
          brand: recordTextOrNull('Brand of the card; null for other methods.', 'visa'),
          last4: recordTextOrNull('Last four characters of its number.', '4242'),
          exp_month: z.int().nullable().meta({
            description: 'Month in which the card expires, 1 to 12; null for other methods.',
            example: 12,
          }),
          exp_year: z.int().nullable().meta({
            description: 'Year in which the card expires; null for other methods.',
            example: 2030,
          }),
          csc: z
            .enum(['TOKEN', 'NONE'])
            .optional()
            .describe(
              'How a payment with this card takes its security code. TOKEN: as a token that the script of `processor` makes. NONE: not at all. Omitted if it takes the digits.',
            ),
          processor: z.string().optional().meta({
            description: 'Processor of the card; omitted unless `csc` is TOKEN.',
            example: 'pr_1893499200000_2b3c4d5e6f7g8h9i',
          }),
          removable: z
            .boolean()
            .optional()
            .describe(
              'True if the payer may remove the method, because it was saved in this session.',
            ),
        }),
      )
      .describe(
        "Before the payment: the stored methods of the link's account that are offered. After the payment: the method saved in this session, until the session expires.",
      ),
    result: z
      .strictObject({
        outcome: z
          .enum(['COMPLETED', 'PENDING', 'CHECKING', 'DECLINED', 'ACTION', 'BUSY'])
          .describe(
            '`CHECKING`: the outcome is unknown, and the link cannot be paid meanwhile. `BUSY`: the link is being paid in another session. The others are as in the response to a submit.',
          ),
        reference: recordTextOrNull(
          'Reference of the payment for the customer; null for `BUSY` and for a free trial.',
          '7KQM-4X9T-PWRD',
        ),
        alt_key: recordTextOrNull(
          'Your reference of the payment, or the one that the payer entered; null if there is none.',
          'order-1001',
        ),
        amount: recordTextOrNull(
          'Amount in major units, zero for a free trial; null for `BUSY` if the payer chooses it.',
          '24.00',
        ),
        quantity: z.int().optional().meta({
          description: 'How many the payer bought; omitted if the link asks for no quantity.',
          example: 3,
        }),
        unit_amount: z.string().optional().meta({
          description: 'Price of one in major units; omitted if the link asks for no quantity.',
          example: '8.00',
        }),
        description: z.string().optional().meta({
          description:
            'Comment of the payment, for the session that paid also one that its payer entered; omitted if there is none.',
          example: 'Two places on Saturday',
        }),
        currency: recordText('Currency of the amount, ISO 4217.'),
        currency_digits: z
          .int()
          .meta({ description: 'Decimal places of the currency.', example: 2 }),
        date: instant.describe('When the payment was decided, or else begun.'),
        redirect: recordTextOrNull(
          'Page of the merchant for this outcome, with its parameters; null if there is none, and for other sessions than the one that paid.',
        ),
        transaction: recordTextOrNull(
          'Id of the transaction, for the session that paid; otherwise null.',
        ),
        account: recordTextOrNull('Id of the account, for the session that paid; otherwise null.'),
        skip_receipt: flag.describe('Whether the payer leaves for `redirect` without a receipt.'),
        message: recordTextOrNull(
          'Text of the merchant for the receipt, as plain text; null for the built-in text.',
        ),
        message_id: recordTextOrNull(
          'Id of the string for the decline reason or the pending action; otherwise null.',
          'errors.declined',
        ),
        receipt_to: recordTextOrNull(
          'Address to which the receipt is sent, masked, for the session that paid; null if none is sent.',
          'a•••@example.com',
        ),
        method: z
          .strictObject({
            type: recordText('Type of the method.', 'CARD'),
            brand: recordTextOrNull('Brand of the card; null if unknown.', 'visa'),
            last4: recordTextOrNull('Last four characters of its number; null if unknown.', '4242'),
          })
          .nullable()
          .describe('The method used, for the session that paid; otherwise null.'),
        recurring: rhythm
          .extend({
            amount: recordText('Amount of each charge, in major units.', '9.00'),
            next_due: instantOrNull.describe(
              'When the next charge is due, after a free trial the first one; null after the last.',
            ),
          })
          .optional()
          .describe(
            'The contract that the payment or free trial began, for the session that did. Omitted if there is none.',
          ),
        charges: z
          .array(chargeLine)
          .optional()
          .describe(
            'The charges that the payment was for, for the session that paid. Omitted if there are none.',
          ),
        action: action
          .nullable()
          .describe('The next action of the payer, for `ACTION`; otherwise null.'),
      })
      .nullable()
      .describe('The result of the payment; null before the first attempt.'),
  })
  .meta({ id: 'Checkout', description: 'The content of the payment page.' })

export const openCheckoutResponse = z.strictObject({
  token: recordText(
    'Bearer token of the session for all further requests. It is returned only here.',
    'ckt_1893499200000_8i9j0k1l2m3n4o5p_k3Jx9',
  ),
  checkout: checkoutView,
})
export const currentCheckoutResponse = z.strictObject({ checkout: checkoutView })
