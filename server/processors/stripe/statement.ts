import type Stripe from 'stripe'

type StatementParams = Pick<
  Stripe.PaymentIntentCreateParams,
  'statement_descriptor' | 'statement_descriptor_suffix'
>

/**
 * Returns what a statement shows. On cards it is added to the prefix of the account, and a full text is
 * refused; elsewhere it is the full text, of 5 to 22 characters. Neither may have `*`. `own` is the
 * legal entity's, `suffix` the setting of the connection, which serves where the other cannot.
 */
export function statementParams(
  method: string,
  { own, suffix }: { own: string | null; suffix: string | undefined },
): StatementParams {
  const text = own?.replaceAll(/[* ]+/g, ' ').trim()
  const isUsable = text !== undefined && (method === 'CARD' || text.length >= 5)
  const shown = isUsable ? text : suffix
  if (shown === undefined) return {}
  return method === 'CARD'
    ? { statement_descriptor_suffix: shown }
    : { statement_descriptor: shown }
}
