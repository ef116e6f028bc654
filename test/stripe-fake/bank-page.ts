import type { ServerResponse } from 'node:http'
import type { FakeClock } from './events.ts'
import { findIntent } from './intents.ts'
import type { Account, Intent, Setup } from './objects.ts'
import { answerChallenge } from './outcomes.ts'
import { answerSetup } from './setup-intents.ts'

/** The page of a bank, with a link for each choice. The payer returns as Stripe sends them. */
export function bankPage(
  account: Account,
  clock: FakeClock,
  url: URL,
  response: ServerResponse,
): void {
  const [, , id = '', choice] = url.pathname.split('/')
  if (choice !== 'approve' && choice !== 'decline') {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    const link = (to: string) => `<a id="${to}" href="/bank/${id}/${to}">${to}</a>`
    return void response.end(
      `<!doctype html><html lang="en"><title>Your bank</title><h1>Your bank</h1>` +
        `<p>${link('approve')} ${link('decline')}</p></html>`,
    )
  }
  const intent = answerBank(account, clock, id, choice)
  const back = new URL(intent.return_url ?? url)
  const name = account.setups.has(id) ? 'setup_intent' : 'payment_intent'
  back.searchParams.set(name, intent.id)
  back.searchParams.set(`${name}_client_secret`, intent.client_secret)
  back.searchParams.set('redirect_status', choice === 'approve' ? 'succeeded' : 'failed')
  response.writeHead(303, { Location: back.href })
  response.end()
}

/** Does what the payer chooses about a payment or a set-up. Returns it. */
export function answerBank(
  account: Account,
  clock: FakeClock,
  id: string,
  choice: 'approve' | 'decline',
): Intent | Setup {
  const setup = account.setups.get(id)
  if (!setup) return answerChallenge(account, clock, findIntent(account, id), choice)
  answerSetup(account, clock, setup, choice)
  return setup
}
