import { describe, expect, it } from 'vitest'
import { type ApiResponse, startTestApp } from '../app.ts'
import { SECRET, createTarget, watch } from './two-tenants.ts'
import { makeTenant } from './tenant.ts'

/** A link's URL shows of its merchant and of other payers only what is meant for payers. */

const app = await startTestApp()
const { target } = await createTarget(app)
const other = await makeTenant(app, await app.newMerchant(), { secret: 'other', keys: 'other' })
const { leaks } = await watch(app, target, other)
const { names } = target

/** The reference that payer and merchant speak of. */
const RECEIPT = /^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/

/** Everything of the merchant's in some answers: ids and texts, these without their mark. */
function shownIn(answers: readonly ApiResponse[]): string[] {
  const texts = answers.flatMap(({ headers, text }) => {
    const response = `${[...headers].toString()} ${text}`
    return [...response.matchAll(new RegExp(`${SECRET}[ .]([a-z]+)`, 'gi'))].map(([, what]) => what)
  })
  const ids = answers.flatMap((answer) => leaks(answer)).filter((text) => !text.includes(SECRET))
  return [...new Set([...texts, ...ids])].map(String).toSorted()
}

/** Sends every request that the address of a link allows. */
async function askAll(link: string): Promise<ApiResponse[]> {
  const page = await app.call(`/pay/${link}`)
  const opened = await app.call(`/pay/${link}/checkouts`, { body: {} })
  expect([page.status, opened.status]).toEqual([200, 200])
  const headers = { authorization: `Bearer ${opened.json.token}` }
  const submitted = await app.call('/pay/checkouts/current/submit', { headers, body: {} })
  return [page, opened, await app.call('/pay/checkouts/current', { headers }), submitted]
}

// `site` may frame the page, and `wording` is the merchant's text for payers. The others are of the legal
// entity, which payers see.
const ALWAYS = ['site', 'wording', 'entity', 'footer', 'legal', 'number', 'register', 'seat']

describe('a payer with the address', () => {
  it.each([
    [
      'of a link that is filled in sees what is filled in, and nothing that was typed',
      names.openLink,
      ['branding', 'invoice', 'payer', 'prefilled', 'shop', names.openLink],
    ],
    [
      'of a link with an account sees that it has cards, and nothing of the account',
      names.savedLink,
      ['shop', names.savedLink, names.method, names.spareMethod],
    ],
    [
      'of a link that was paid sees a receipt, and nothing of who paid',
      names.paidLink,
      ['branding', 'description', 'intro', 'name', names.paidLink, expect.stringMatching(RECEIPT)],
    ],
  ])('%s', async (_what, link, expected) => {
    const shown = shownIn(await askAll(link))
    expect(shown).toHaveLength(expected.length + ALWAYS.length)
    expect(shown).toEqual(expect.arrayContaining([...ALWAYS, ...expected]))
  })
})
