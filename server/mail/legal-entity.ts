import { taxIdText } from '../../shared/rules/tax-id-text.ts'
import { serializeShownEntity } from '../checkouts/legal-entity-view.ts'
import { findShownEntity, resolveLinkPayee } from '../checkouts/payee.ts'
import { resolveCurrency } from '../checkouts/resolve-terms.ts'
import { getTrial } from '../checkouts/trial-agreement.ts'
import { findContract } from '../contracts/store.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MailRow } from '../db/tables/mails.ts'
import type { Deps } from '../deps.ts'
import type { LegalEntityContent } from '../legal-entities/content.ts'
import { findContent, findLegalEntity } from '../legal-entities/store.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { getLink } from '../payment-links/store.ts'
import { getRefund } from '../payments/refunds.ts'
import { getPaymentRow } from '../payments/store.ts'
import type { MailWording } from './wording.ts'

/**
 * Returns who is paid in law by what a mail is about: as it was at the payment, or as it is now where
 * nothing is paid yet. Undefined for a mail to a user, and while the instance has no legal entities.
 */
export async function findMailEntity(
  deps: Pick<Deps, 'db' | 'now'>,
  instance: Instance,
  mail: MailRow,
): Promise<LegalEntityContent | undefined> {
  if (instance.legal_entities_version === 0) return undefined
  const { db } = deps
  const { instance_id: instanceId, record_id: id } = mail
  switch (mail.kind) {
    case 'RECEIPT':
    case 'COLLECTION_FAILED':
      return entityOfPayment(deps, instanceId, id)
    case 'TRIAL': {
      const { agreed } = await getTrial(db, id)
      return findContent(db, instanceId, agreed.legalEntityVersion)
    }
    case 'REFUND':
      return entityOfPayment(deps, instanceId, (await getRefund(db, instanceId, id)).refunded_id)
    case 'CARD_EXPIRING': {
      const entityId = (await findContract(db, instanceId, id))?.legal_entity_id ?? null
      const row = entityId === null ? undefined : await findLegalEntity(db, instanceId, entityId)
      return findContent(db, instanceId, row?.version ?? null)
    }
    case 'PAYMENT_LINK': {
      const link = await getLink(db, instanceId, id)
      const currency = resolveCurrency(instance, parseLinkContent(link).options, undefined)
      const at = { branding: mail.branding, currency }
      return findShownEntity(
        deps,
        { instance, link },
        await resolveLinkPayee(deps, instance, link, at),
      )
    }
    case 'WEBHOOK_DISABLED':
      return undefined
  }
}

async function entityOfPayment(
  { db }: Pick<Deps, 'db'>,
  instanceId: string,
  id: string,
): Promise<LegalEntityContent | undefined> {
  const { legal_entity_version } = await getPaymentRow(db, instanceId, id)
  return findContent(db, instanceId, legal_entity_version)
}

/**
 * Returns what a mail says of the legal entity, line by line, as the page does below its content. Only a
 * receipt (`isReceipt`) has the entity's own footer.
 */
export function imprintLines(
  { t, language }: MailWording,
  content: LegalEntityContent,
  { isReceipt }: { isReceipt: boolean },
): string[] {
  const entity = serializeShownEntity(content, language)
  const footer = isReceipt ? (entity.receipt_footer?.split('\n') ?? []) : []
  return [
    ...footer,
    entity.legal_name,
    entity.address.join(', '),
    entity.registration && t('checkout.legal_register', { number: entity.registration }),
    ...entity.tax_ids.map((each) => taxIdText(t, each)),
    entity.email,
    entity.phone,
    entity.url && `${t('checkout.legal_notice')}: ${entity.url}`,
    entity.terms_url && `${t('checkout.legal_terms')}: ${entity.terms_url}`,
    entity.privacy_url && `${t('checkout.legal_privacy')}: ${entity.privacy_url}`,
  ].filter((line): line is string => !!line)
}
