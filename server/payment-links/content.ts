import type { Instance } from '../db/tables/instances.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { getAccount, requireInUse } from '../accounts/store.ts'
import { foldedText } from '../db/fold-text.ts'
import type { Db } from '../db/tables.ts'
import { requireLegalEntity } from '../legal-entities/require.ts'

/** The part of a link that its merchant writes. */
export interface LinkContent {
  /** A stored instant, or null for never. */
  expires: string | null
  options: PaymentLinkOptions
  state: unknown
}

export function parseLinkContent(
  link: Pick<LinkRow, 'expires' | 'options' | 'state'>,
): LinkContent {
  return {
    expires: link.expires,
    options: JSON.parse(link.options) as PaymentLinkOptions,
    state: link.state === null ? null : (JSON.parse(link.state) as unknown),
  }
}

/** The columns that say what a link offers. */
type OptionColumns = Pick<
  LinkRow,
  'options' | 'name_lower' | 'alt_key_lower' | 'channel_lower' | 'amount_e4' | 'currency'
>

/** Returns the options as they are stored, and the columns that criteria compare. */
export function optionColumns(options: PaymentLinkOptions): OptionColumns {
  const { name, alt_key, channel, amount, currency } = options
  return {
    options: JSON.stringify(options),
    name_lower: foldedText(name),
    alt_key_lower: foldedText(alt_key),
    channel_lower: foldedText(channel),
    amount_e4: amount == null ? null : Math.round(Number(amount) * 10_000),
    currency: currency ?? null,
  }
}

/** The inverse of `parseLinkContent`. */
export function contentColumns(
  content: LinkContent,
): OptionColumns & Pick<LinkRow, 'expires' | 'state'> {
  return {
    ...optionColumns(content.options),
    expires: content.expires,
    state: content.state == null ? null : JSON.stringify(content.state),
  }
}

/** Throws a 400 ApiError when the link names a legal entity that cannot be paid in its currency. */
export async function requireEntity(
  db: Db,
  instance: Instance,
  { options: { legal_entity: id, currency } }: LinkContent,
): Promise<void> {
  if (id == null) return
  const member = 'payment_link.options.legal_entity'
  const asked = { id, currency: currency ?? instance.default_currency, member }
  await requireLegalEntity(db, instance.id, asked)
}

/** Throws 404 when the link names an account that the instance does not have, and INVALID_STATE for an archived one. */
export async function requireAccount(
  db: Db,
  instance: Instance,
  { options: { account } }: LinkContent,
): Promise<void> {
  if (typeof account === 'string') requireInUse(await getAccount(db, instance.id, account))
}
