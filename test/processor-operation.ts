import type { MethodCapabilities, PaymentOperation } from '../server/processors/port.ts'

/** A signal that is never aborted. */
export const { signal } = new AbortController()

/** What a payment tells a processor besides its money, for tests that are not about it. */
export const ABOUT_PAYMENT: Pick<
  PaymentOperation,
  'initiator' | 'payer' | 'payment_reference' | 'statement_descriptor' | 'description' | 'signal'
> = {
  initiator: 'PAYER',
  payer: {
    account: null,
    saved_token: null,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    country: 'GB',
    ip: '192.0.2.7',
    user_agent: 'Mozilla/5.0',
  },
  payment_reference: 'PAY-7Q2M-4XKD',
  statement_descriptor: null,
  description: 'Order 7',
  signal,
}

/** A card in fields of the page, which can do everything but wait. */
export const CARD_METHOD: MethodCapabilities = {
  type: 'CARD',
  storable: true,
  token_first: false,
  async: false,
  redirect: false,
  authorize: true,
  merchant_initiated: true,
  fields: 'OWN',
  csc: 'RAW',
  needs: [],
  cancel: 'ALWAYS',
}
