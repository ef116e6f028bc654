import type { z } from 'zod'
import { account } from './account.ts'

/** Details that a payer entered on the payment page. */
export const payer = account
  .pick({ first_name: true, last_name: true, email: true, phone: true, address: true })
  .meta({
    id: 'Payer',
    description:
      'Details that the payer entered on the payment page; a member is null if it was left empty. They are stored with the payment and never change an existing account, because the holder of a link is not proven to be its customer.',
    example: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: null,
      address: { line1: '1 Analytical Row', line4: 'London', country: 'GB' },
    },
  })

export type PayerRecord = z.output<typeof payer>
