import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import { fromJson } from '../db/json.ts'
import type { DeepLink } from '../../shared/schemas/deep-link.ts'
import { deepLinkStatus } from './status.ts'

export function serializeDeepLink(
  link: DeepLinkRow,
  at: { now: number; baseUrl: string },
): DeepLink {
  return {
    id: link.id,
    slug: link.slug,
    url: deepLinkUrl(at.baseUrl, link),
    action: link.action,
    status: deepLinkStatus(link, at.now),
    archived: link.archived,
    account: link.account_id,
    contract: link.contract_id,
    charges: fromJson<string[]>(link.charges) ?? null,
    allow: fromJson<DeepLink['allow']>(link.allow) ?? null,
    options: JSON.parse(link.options) as DeepLink['options'],
    options_v: link.options_v,
    max_uses: link.max_uses,
    uses: link.uses,
    reserved_uses: link.reserved_uses,
    last_use: fromJson<NonNullable<DeepLink['last_use']>>(link.last_use) ?? null,
    last_used: link.last_used,
    expires: link.expires,
    created_session: link.created_session,
    updated_session: link.updated_session,
    created: link.created,
    updated: link.updated,
    v: link.v,
  }
}

/** Returns the URL that the payer opens. */
export function deepLinkUrl(baseUrl: string, link: Pick<DeepLinkRow, 'slug' | 'id'>): string {
  return baseUrl + deepLinkPath(link)
}

export function deepLinkPath({ slug, id }: Pick<DeepLinkRow, 'slug' | 'id'>): string {
  return `/go/${slug ?? id}`
}
