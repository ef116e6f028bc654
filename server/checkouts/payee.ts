import type { RouteFacts } from '../../shared/rules/legal-entity-route.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { type AccountRow, findAccount, findAccountByCrmKey } from '../accounts/store.ts'
import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import type { Deps } from '../deps.ts'
import { findContent } from '../legal-entities/store.ts'
import type { LegalEntityContent } from '../legal-entities/content.ts'
import { findIssuingCountry } from '../legal-entity-routes/issuing-country.ts'
import { type Payee, resolvePayee } from '../legal-entity-routes/resolve.ts'
import { findPaymentMethod } from '../payment-methods/store.ts'
import { countryOf, parseTags } from '../payments/payee.ts'
import { type PayableTerms, readTerms } from './charges.ts'
import { findLinkReceipt } from './receipt-source.ts'
import type { SubmittedMethod } from './resolve-payment-method.ts'
import { fixedAmount, type ResolvedTerms } from './resolve-terms.ts'

type PayeeDeps = Pick<Deps, 'db' | 'now'>

type SubmitDeps = Pick<Deps, 'db' | 'now' | 'processors' | 'log'>

/** The columns of a session, and of its payments, that say whom they belong to. */
export function payeeColumns(
  payee: Payee | undefined,
): Pick<CheckoutRow, 'legal_entity_id' | 'legal_entity_version' | 'processor_id'> {
  return {
    legal_entity_id: payee?.entity.id ?? null,
    legal_entity_version: payee?.entity.version ?? null,
    processor_id: payee?.processor ?? null,
  }
}

/**
 * Returns to whom a payment of a link belongs when a session is opened. Undefined while the instance has
 * no legal entities, and where it depends on the payer's country or amount, which a submit tells.
 */
export async function resolveLinkPayee(
  deps: PayeeDeps,
  instance: Instance,
  link: SessionLink,
  { branding, currency }: { branding: string; currency: string },
): Promise<Payee | undefined> {
  if (instance.legal_entities_version === 0) return undefined
  const terms = await readTerms(deps.db, link)
  const { options } = terms
  const { country, ...facts } = await linkFacts(deps, instance, options)
  const payee = await resolvePayee(
    deps,
    instance,
    {
      ...facts,
      currency,
      country,
      branding: branding || null,
      amount: fixedAmount(options, currency),
      processor: undefined,
    },
    { chosen: chosenEntity(terms) },
  )
  return payee === 'UNDECIDED' ? undefined : payee
}

/** Returns to whom a payment belongs whose session could not tell. Everything is known by now. */
export async function resolveSubmittedPayee(
  deps: SubmitDeps,
  { instance, link, checkout }: { instance: Instance; link: SessionLink; checkout: CheckoutRow },
  submitted: { request: SubmitBody; terms: ResolvedTerms; method: SubmittedMethod },
): Promise<Payee | undefined> {
  if (instance.legal_entities_version === 0 || checkout.legal_entity_id !== null) return undefined
  const { request, terms, method } = submitted
  const payable = await readTerms(deps.db, link, checkout)
  const { options } = payable
  const { country, ...facts } = await linkFacts(deps, instance, options)
  const { savedMethodId: id } = method
  const saved =
    id === null ? undefined : await findPaymentMethod(deps.db, instance.id, id, deps.now())
  const payee = await resolvePayee(
    deps,
    instance,
    {
      ...facts,
      currency: terms.currency,
      country: request.account?.address?.country ?? country ?? saved?.country ?? undefined,
      branding: checkout.branding,
      amount: terms.amount,
      processor: method.processor,
    },
    {
      chosen: chosenEntity(payable),
      findCountry: async () => {
        const row = { processor: method.processor, instance_id: instance.id }
        return findIssuingCountry(deps, await deps.processors.get(row), method.charge)
      },
    },
  )
  return payee === 'UNDECIDED' ? undefined : payee
}

/** Returns the entity that the link names, else the one to which all its charges are owed. */
function chosenEntity({ options, charges }: PayableTerms): string | null {
  if (options.legal_entity != null) return options.legal_entity
  const owners = new Set(charges?.due.map(({ charge }) => charge.legal_entity_id))
  return owners.size === 1 ? ([...owners][0] ?? null) : null
}

type LinkFacts = Pick<RouteFacts, 'country' | 'channel' | 'source' | 'account_tags'>

/** Returns what a link tells of its payments. */
async function linkFacts(
  deps: PayeeDeps,
  instance: Instance,
  options: PaymentLinkOptions,
): Promise<LinkFacts> {
  const account = await findLinkAccount(deps, instance, options)
  const given = typeof options.account === 'object' ? options.account?.address?.country : null
  return {
    country: given ?? countryOf(account),
    channel: options.channel ?? null,
    source: options.source ?? 'ECOMMERCE',
    account_tags: parseTags(account?.tags),
  }
}

async function findLinkAccount(
  { db }: PayeeDeps,
  instance: Instance,
  { account }: PaymentLinkOptions,
): Promise<AccountRow | undefined> {
  if (typeof account === 'string') return findAccount(db, instance.id, account)
  return account?.crm_key == null
    ? undefined
    : findAccountByCrmKey(db, instance.id, account.crm_key)
}

/**
 * Returns what a page shows of the legal entity: as it was when the link was paid, or else
 * when the session was opened.
 */
export async function findShownEntity(
  { db }: Pick<Deps, 'db'>,
  { instance, link, checkout }: { instance: Instance; link: SessionLink; checkout?: CheckoutRow },
  payee?: Payee,
): Promise<LegalEntityContent | undefined> {
  if (instance.legal_entities_version === 0) return undefined
  const made = await findLinkReceipt({ db }, link)
  const shown = checkout ? checkout.legal_entity_version : (payee?.entity.version ?? null)
  return findContent(db, instance.id, made ? made.legal_entity_version : shown)
}
