import { z } from 'zod'
import { isIban } from '../../../shared/rules/iban.ts'
import { cardScenario, ibanScenario, isCardNumber, withoutSpaces } from './test-cards.ts'

export type TokenRequest =
  | { card: { number: string; exp_month: number; exp_year: number; csc: string } }
  | { bank_account: { iban: string; holder: string } }

const NO_REAL_CARD =
  'must be one of the test numbers in docs/testing.md; real cards must not be typed into the sandbox'
const NO_REAL_ACCOUNT =
  'must be one of the test accounts in docs/testing.md; real ones must not be typed into the sandbox'

// Messages never repeat a value: it may be a card number in the wrong member.
const expected = (what: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'is required' : `must be ${what}`,
})

export const tokenRequestBody = z.strictObject(
  {
    card: z
      .strictObject(
        {
          number: z
            .string(expected('text'))
            .max(40, 'is not a valid card number')
            .transform(withoutSpaces)
            .refine(isCardNumber, 'is not a valid card number')
            .meta({
              description: 'One of the test numbers. Spaces are ignored.',
              example: '4242 4242 4242 4242',
            }),
          exp_month: z
            .int(expected('a month from 1 to 12'))
            .min(1, 'must be a month from 1 to 12')
            .max(12, 'must be a month from 1 to 12')
            .meta({ description: 'Month in which the card expires, 1 to 12.', example: 12 }),
          exp_year: z
            .int(expected('a year of four digits'))
            .min(1000, 'must be a year of four digits')
            .max(9999, 'must be a year of four digits')
            .meta({ description: 'Year in which the card expires, four digits.', example: 2035 }),
          csc: z
            .string(expected('text'))
            .regex(/^[0-9]{3,4}$/, 'must be three or four digits')
            .meta({ description: 'Security code: three or four digits.', example: '123' }),
        },
        'must be an object',
      )
      .optional()
      .meta({ description: 'A test card. It excludes `bank_account`.' }),
    bank_account: z
      .strictObject(
        {
          iban: z
            .string(expected('text'))
            .max(60, 'is not a valid IBAN')
            .transform((text) => withoutSpaces(text).toUpperCase())
            .refine(isIban, 'is not a valid IBAN')
            .meta({
              description: 'One of the test accounts.',
              example: 'GB35 SAND 0000 0000 0000 77',
            }),
          holder: z
            .string(expected('text'))
            .trim()
            .min(1, 'must not be empty')
            .max(140, 'must be at most 140 characters')
            .meta({ description: 'Name of the holder of the account.', example: 'Ada Lovelace' }),
        },
        'must be an object',
      )
      .optional()
      .meta({ description: 'A test bank account. It excludes `card`.' }),
  },
  'must be an object',
)

/**
 * Parses a decoded JSON body, or returns `{ problem }` with the member first. Accepts only the published
 * test numbers. `now` is epoch milliseconds; a card is valid until the end of its month in UTC.
 */
export function readTokenRequest(
  json: unknown,
  now: number,
): TokenRequest | { problem: string; isReal?: true } {
  const parsed = tokenRequestBody.safeParse(json, { reportInput: true })
  if (!parsed.success) return { problem: describe(parsed.error.issues[0]) }
  const { card, bank_account } = parsed.data
  if (card !== undefined && bank_account === undefined) {
    if (cardScenario(card.number) === undefined) {
      return { problem: `card.number ${NO_REAL_CARD}`, isReal: true }
    }
    return hasExpired(card, now)
      ? { problem: 'card.exp_year and exp_month are in the past' }
      : { card }
  }
  if (bank_account !== undefined && card === undefined) {
    return ibanScenario(bank_account.iban) === undefined
      ? { problem: `bank_account.iban ${NO_REAL_ACCOUNT}`, isReal: true }
      : { bank_account }
  }
  return { problem: 'body must have either card or bank_account' }
}

/** `now` is epoch milliseconds. */
export function hasExpired(card: { exp_month: number; exp_year: number }, now: number): boolean {
  return Date.UTC(card.exp_year, card.exp_month) <= now
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    // A member's name is repeated only when it cannot contain a card number.
    const name = (issue.keys[0] ?? '').match(/^[A-Za-z_]{1,40}$/)?.[0] ?? ''
    return `Unknown field ${[path, name].filter(Boolean).join('.')}`.trim()
  }
  return `${path || 'body'} ${issue?.message ?? 'is not valid'}`
}
