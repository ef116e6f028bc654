import { recordDeepLinkExpiries } from '../../../server/deep-links/expire.ts'
import { closeExpiredSessions } from '../../../server/checkouts/close-sessions.ts'
import type { Merchant, TestApp } from '../../app.ts'
import { CARDS } from '../../cards.ts'
import { newDeepLink } from '../../deep-links.ts'
import { openPayerClientAt } from '../../payer-client.ts'
import {
  disable,
  notice,
  press,
  put,
  RECONCILES,
  reconcile,
  remove,
  type Scenario,
} from './actions.ts'

/** Deep links that several payers pay. */

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Before a session ends. */
const EXPIRES_MS = 10 * MINUTE_MS

/** A deep link that expires soon, with payers who have opened it. */
async function openDeepLink(
  app: TestApp,
  merchant: Merchant,
  { uses, payers }: { uses: number; payers: number },
) {
  const expires = new Date(app.now() + EXPIRES_MS).toISOString()
  const options = { amount: '12.50', currency: 'EUR' }
  const { id } = await newDeepLink(merchant, options, { max_uses: uses, expires })
  const tokens: string[] = []
  for (let payer = 0; payer < payers; payer += 1) {
    tokens.push((await openPayerClientAt(app, `/go/${id}`)).token)
  }
  return { id: id as string, tokens }
}

/** A deep link with one use and two payers. */
export const lastUse: Scenario = async (app, merchant) => {
  const { id, tokens } = await openDeepLink(app, merchant, { uses: 1, payers: 2 })
  const [one = '', other = ''] = tokens
  const change = (deep_link: object) => put(`/deep_links/${id}`, { mode: 'PATCH', deep_link })
  return {
    'a payer pays': press(app, one),
    'a payer’s card is declined': press(app, one, CARDS.decline),
    'a payer is sent to their bank': press(app, one, CARDS.challenge),
    'a payer’s card is answered late': press(app, one, CARDS.pendingSuccess),
    'another payer pays': press(app, other),
    'another payer’s card is declined': press(app, other, CARDS.decline),
    'it is archived': remove(`/deep_links/${id}`),
    'its amount changes': change({ options: { amount: '9.00' } }),
    'it may be used once more': change({ max_uses: 2 }),
    'it is to expire later': change({ expires: new Date(app.now() + HOUR_MS).toISOString() }),
    'it expires': async ({ deps }) => {
      app.pass(EXPIRES_MS)
      return recordDeepLinkExpiries(deps)
    },
    'its sessions run out': async ({ deps }) => {
      app.pass(HOUR_MS)
      return closeExpiredSessions(deps)
    },
    'its instance is disabled': disable(merchant),
    [RECONCILES]: reconcile(app),
    'a notification of the processor': notice(merchant),
  }
}

/** A deep link with two uses and three payers. */
export const lastUses: Scenario = async (app, merchant) => {
  const { id, tokens } = await openDeepLink(app, merchant, { uses: 2, payers: 3 })
  const [one = '', second = '', third = ''] = tokens
  return {
    'a payer pays': press(app, one),
    'a payer’s card is declined': press(app, one, CARDS.decline),
    'another payer pays': press(app, second),
    'a third payer pays': press(app, third),
    'it is archived': remove(`/deep_links/${id}`),
    [RECONCILES]: reconcile(app),
  }
}
