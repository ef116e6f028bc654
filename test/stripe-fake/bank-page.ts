import type { ServerResponse } from 'node:http'
import type { FakeClock } from './events.ts'
import { findIntent } from './intents.ts'
import type { Account } from './objects.ts'
import { answerChallenge } from './outcomes.ts'

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
  const intent = answerChallenge(account, clock, findIntent(account, id), choice)
  const back = new URL(intent.return_url ?? url)
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret)
  back.searchParams.set('redirect_status', choice === 'approve' ? 'succeeded' : 'failed')
  response.writeHead(303, { Location: back.href })
  response.end()
}
