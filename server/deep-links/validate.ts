import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Db } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { getAccount, requireInUse } from '../accounts/store.ts'
import { lookupCharge } from '../charges/store.ts'
import { lookupContract } from '../contracts/store.ts'
import { fromJson } from '../db/json.ts'
import { ApiError, invalid } from '../errors.ts'
import type { DeepLinkChange, NewDeepLink } from '../../shared/schemas/deep-link.ts'
import type { UpdateMode } from '../../shared/schemas/payment-link.ts'
import { chargeProblem, readPayableOptions, resolveCharges } from '../payment-links/charges.ts'
import { type LinkContent, requireAccount, requireEntity } from '../payment-links/content.ts'
import { editLink, linkRules, validateLink } from '../payment-links/edit.ts'
import { requirePaymentMethod } from '../payment-links/require-method.ts'

const DAY_MS = 86_400_000
const ACCOUNT_LINK_DAYS_MAX = 30

/** Returns the content of a deep link after a change, by the rules of payment links. Throws an ApiError. */
export async function editContent(
  deps: Pick<Deps, 'processors'> & { db: Db },
  instance: Instance,
  stored: Pick<LinkContent, 'expires' | 'options'>,
  { options, expires }: DeepLinkChange,
  { mode, now }: { mode: UpdateMode; now: number },
): Promise<LinkContent> {
  return ofDeepLink(async () => {
    const before = { ...stored, state: null }
    const edited = editLink(before, { options, expires }, mode)
    validateLink(edited, { options, expires }, linkRules(instance, now))
    if (options === undefined) return edited
    const content = await resolveCharges(deps.db, instance, before, edited)
    const payable = await readPayableOptions(deps.db, instance.id, content.options)
    await requirePaymentMethod(deps, instance, payable)
    await requireAccount(deps.db, instance, content)
    if (changesPayee(before.options, content.options)) {
      await requireEntity(deps.db, instance, content)
    }
    return content
  })
}

/** Whether an edit names another legal entity, or another currency that it has to take. */
function changesPayee(before: LinkContent['options'], after: LinkContent['options']): boolean {
  return after.legal_entity !== before.legal_entity || after.currency !== before.currency
}

/** Runs a check of payment links on a deep link; its errors name the member of the deep link. */
async function ofDeepLink<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.type, error.message.replace(/^payment_link\./, 'deep_link.'))
  }
}

type Members = Pick<DeepLinkRow, 'action' | 'slug' | 'expires' | 'account_id'> & {
  options: LinkContent['options']
}

/** The options that follow from the charges and their account. */
const SET_BY_CHARGES = [
  'account',
  'amount',
  'default_amount',
  'amount_min',
  'amount_max',
  'amount_presets',
  'unit_amount',
  'quantity_max',
  'currency',
  'recurring',
] as const

/** The options of the page of a task, which takes no payment. */
const OF_TASKS = new Set(['channel', 'timezone', 'success_url'])

/** Throws an ApiError for members that the action forbids, or for one that it requires. */
export function validateAction(link: Members, now: number): void {
  const { action, slug, options } = link
  if (options.charges != null) {
    throw invalid('deep_link.options.charges', 'is not taken; use the action PAY_CHARGES')
  }
  if (action === 'PAY') {
    // The saved methods of the account would be shown to payers who guess the slug.
    if (typeof options.account !== 'string') return
    if (slug !== null) {
      throw invalid('deep_link.options.account', 'must not be an id on a link with a slug')
    }
    return requireExpiry(link, 'beside an account', now)
  }
  const refused = refusedOption(action, options)
  if (refused) throw invalid(`deep_link.options.${refused}`, `is not taken by ${action}`)
  if (slug !== null) throw invalid('deep_link.slug', 'is only for PAY, because it can be guessed')
  requireExpiry(link, `by ${action}`, now)
}

function refusedOption(
  action: DeepLinkRow['action'],
  options: LinkContent['options'],
): string | undefined {
  if (action === 'PAY_CHARGES') return SET_BY_CHARGES.find((name) => options[name] != null)
  return Object.entries(options).find(([name, value]) => value != null && !OF_TASKS.has(name))?.[0]
}

/** A link that leads to what an account has needs no sign-in, so it does not live long. */
function requireExpiry({ expires }: Pick<Members, 'expires'>, by: string, now: number): void {
  if (expires === null) throw invalid('deep_link.expires', `is required ${by}`)
  if (Date.parse(expires) > now + ACCOUNT_LINK_DAYS_MAX * DAY_MS) {
    throw invalid('deep_link.expires', `must be at most ${ACCOUNT_LINK_DAYS_MAX} days ahead`)
  }
}

/** Throws an ApiError for relations that the action forbids or requires, or that do not exist. */
export async function validateRelations(
  db: Db,
  instance: Instance,
  { action, account, contract, charges, allow }: NewDeepLink,
): Promise<void> {
  const allowed: Record<string, readonly NewDeepLink['action'][]> = {
    account: ['ADD_PAYMENT_METHOD', 'PAY_CHARGES', 'MANAGE_CONTRACT'],
    contract: ['ADD_PAYMENT_METHOD', 'MANAGE_CONTRACT'],
    charges: ['PAY_CHARGES'],
    allow: ['MANAGE_CONTRACT'],
  }
  for (const [member, value] of Object.entries({ account, contract, charges, allow })) {
    if (value != null && !allowed[member]?.includes(action)) {
      throw invalid(`deep_link.${member}`, `is not taken by ${action}`)
    }
  }
  if (action === 'PAY') return
  if (account == null) throw invalid('deep_link.account', `is required by ${action}`)
  if (action === 'MANAGE_CONTRACT' && contract == null) {
    throw invalid('deep_link.contract', `is required by ${action}`)
  }
  requireInUse(await getAccount(db, instance.id, account))
  if (contract != null) {
    const { account_id } = await lookupContract(db, instance.id, contract)
    if (account_id !== account) throw invalid('deep_link.contract', 'belongs to another account')
  }
  await validateCharges(db, instance, { account, charges: charges ?? [] })
}

/** Throws an ApiError for a charge that the link could not pay now, or that does not exist. */
async function validateCharges(
  db: Db,
  instance: Instance,
  { account, charges }: { account: string; charges: readonly string[] },
): Promise<void> {
  let currency: string | undefined
  for (const [at, id] of charges.entries()) {
    const charge = await lookupCharge(db, instance.id, id)
    currency ??= charge.currency
    const problem = chargeProblem(charge, account, currency)
    if (problem !== undefined) throw invalid(`deep_link.charges.${at}`, problem)
  }
}

export function parseOptions(link: Pick<DeepLinkRow, 'options'>): LinkContent['options'] {
  return fromJson<LinkContent['options']>(link.options) ?? {}
}
