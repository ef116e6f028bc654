import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Page } from '@playwright/test'
import { createHttpClient } from '../test/client.ts'
import { type Program, startProgram } from '../test/program.ts'
import { answerProblem, requestProblem } from '../test/stripe-fake/description.ts'
import { stripeEnvironment } from '../test/stripe-fake/environment.ts'
import { serveStripeScript } from '../test/stripe-fake/serve-script.ts'
import { type StripeFake, startStripeFake } from '../test/stripe-fake/start.ts'
import { expect } from './fixtures.ts'
import type { Checkout } from './pages/checkout.ts'
import { test as base } from './shop-fixtures.ts'

/** Cards of Stripe's test mode. */
export const STRIPE_CARDS = {
  approve: '4242424242424242',
  insufficient: '4000000000009995',
  challenge: '4000002500003155',
}

/** A server of its own, whose merchant has connected a Stripe of this machine. */
export interface StripeShop {
  program: Program
  fake: StripeFake
  /** URL of the stand-in for Stripe.js. */
  scriptUrl: string
  /** The processor's id in the API. */
  connection: string
}

/**
 * Has the fake compile what it checks payments by, which takes seconds and holds up whatever else this
 * process answers: pages wait a limited time for Stripe.
 */
function compileChecks(): void {
  const intents = '/v1/payment_intents'
  answerProblem('get', '/v1/account', 200, {})
  for (const path of ['/v1/payment_methods', intents, `${intents}/{intent}/confirm`]) {
    requestProblem('post', path, {})
    answerProblem('post', path, 200, {})
    answerProblem('post', path, 402, {})
  }
}

async function startStripeShop(
  methods: readonly string[],
): Promise<StripeShop & { close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-stripe-'))
  const fake = await startStripeFake()
  compileChecks()
  const { scriptUrl, close: closeScript } = await serveStripeScript(fake.url)
  const url = `file:${join(folder, 'checkstand.db')}`
  const program = await startProgram(url, stripeEnvironment(fake, scriptUrl))
  const { secretKey, publishableKey } = fake
  const keys = { name: 'stripe', secret_key: secretKey, publishable_key: publishableKey }
  const body = { processor: { ...keys, settings: { methods } } }
  const { status, text, json } = await createHttpClient(program.base).api('/processors', { body })
  expect(status, text).toBe(200)
  return {
    program,
    fake,
    scriptUrl,
    connection: json.processor.id,
    async close() {
      program.process.kill()
      await program.ended
      closeScript()
      await fake.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tests on a server whose payers enter cards in frames of Stripe. `methods` are those it offers. */
export const test = base.extend<object, { stripe: StripeShop; methods: string[] }>({
  methods: [['CARD'], { option: true, scope: 'worker' }],

  stripe: [
    async ({ methods }, use) => {
      const { close, ...shop } = await startStripeShop(methods)
      await use(shop)
      await close()
      expect(shop.fake.problems).toEqual([])
    },
    { scope: 'worker' },
  ],

  api: [
    async ({ stripe }, use) => {
      const client = createHttpClient(stripe.program.base)
      await use(async (path, call) => {
        const { status, text, json } = await client.api(path, call)
        if (status >= 400) throw new Error(text)
        return json
      })
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ stripe }, use) => use(stripe.program.base),
})

/** The fields in frames of the stand-in. */
export function cardFields(place: Page | FrameLocator) {
  const input = (title: string) => place.frameLocator(`iframe[title="${title}"]`).locator('input')
  return {
    number: input('Secure card number input frame'),
    expiry: input('Secure expiration date input frame'),
    code: input('Secure CVC input frame'),
  }
}

/** Enters a card in the frames. */
export async function fillCard(
  { place }: Checkout<Page | FrameLocator>,
  number: string = STRIPE_CARDS.approve,
  code = '123',
): Promise<void> {
  const fields = cardFields(place)
  await fields.number.fill(number)
  await fields.expiry.fill('1234')
  await fields.code.fill(code)
}
