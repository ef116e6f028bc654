import type { CheckoutView } from '../../shared/page-model.ts'
import type { SessionPage } from '../../shared/schemas/session-page.ts'
import { CHECKOUT_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { listPageStates } from '../checkouts/page-states.ts'
import { keptMs } from '../checkouts/prune.ts'
import { findSessionBundle, nameSession } from '../checkouts/session.ts'
import { checkoutStatus } from '../checkouts/status.ts'
import { findCheckout } from '../checkouts/store.ts'
import { buildCheckoutView } from '../checkouts/view.ts'
import type { CheckoutRow } from '../db/tables/checkouts.ts'
import { findSessionLink, type PayerLink } from '../deep-links/payer-link.ts'
import type { Deps } from '../deps.ts'
import { ApiError, notFound } from '../errors.ts'
import { pageTheme } from './theme.ts'

/**
 * Returns the page of a session as its payer saw it: the frozen wording, and the states that it passed.
 * Throws 404 for a session that the instance does not have, and 410 for one whose wording was deleted.
 */
export async function readSessionPage(
  deps: Deps,
  instanceId: string,
  id: string,
): Promise<SessionPage> {
  const checkout = CHECKOUT_ID.test(id) ? await findCheckout(deps.db, id) : undefined
  if (checkout?.instance_id !== instanceId) throw notFound('Checkout')
  const payerLink = await findSessionLink(deps.db, checkout)
  const bundle = payerLink && (await findSessionBundle(deps, payerLink.instance, checkout))
  if (!payerLink || !bundle) throw new ApiError('GONE', 'The page of this session was deleted')
  const { instance, link } = payerLink
  const session = await nameSession(deps, { ...payerLink, checkout, bundle })
  const { css, logo } = pageTheme(instance, checkout.branding ?? '')
  return {
    states: await listPageStates(deps, session),
    checkout: await buildForm(deps, session),
    terms_changed: link.options_v !== checkout.options_v,
    test_mode: instance.mode === 'TEST',
    logo,
    css,
    kept_until: keptUntil(deps, checkout),
  }
}

/** Returns the view of the form, as if nothing had been paid yet. */
async function buildForm(
  deps: Deps,
  session: PayerLink & Parameters<typeof buildCheckoutView>[1] & { checkout: CheckoutRow },
): Promise<CheckoutView> {
  const { link, checkout } = session
  const unpaid = {
    ...link,
    status: 'ACTIVE',
    claim: null,
    payment_id: null,
    archived: null,
  } as const
  const view = await buildCheckoutView(deps, { ...session, link: unpaid, isNew: true })
  return { ...view, now: checkout.created, status: 'OPEN', saved_methods: [], result: null }
}

function keptUntil({ config, now }: Deps, checkout: CheckoutRow): string | null {
  const status = checkoutStatus(checkout, now())
  if (status === 'OPEN' || status === 'SUBMITTED' || status === 'PENDING') return null
  const ended = checkout.updated > checkout.expires ? checkout.updated : checkout.expires
  return formatInstant(Date.parse(ended) + keptMs(config, status === 'COMPLETED'))
}
