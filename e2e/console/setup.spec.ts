import { readFile } from 'node:fs/promises'
import type { LegalEntityRecord } from '../../shared/schemas/legal-entity.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { newUser } from '../oauth-fixtures.ts'
import { openSite } from '../site.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const API = '/c/api/instances/default'

const STRIPE = {
  id: 'pr_1893499200000_3p4r5s6t7u8v9w0x',
  name: 'stripe',
  mode: 'TEST',
  publishable_key: 'pk_test_51Example0Publishable0Key',
  key_hint: 'rk_…0Key',
  account: 'acct_1ExampleAccount',
  methods: ['CARD'],
  settings: {},
  v: 1,
}
const WEBHOOK = {
  url: 'https://pay.shop.example/processors/stripe/webhooks/pr_1',
  events: ['payment_intent.succeeded'],
  last_heard: null,
}

test(
  'the settings of processors refuse keys of another mode, and show each state',
  { tag: '@deep' },
  async ({ page, user }) => {
    watchPolicy(page)
    const listed: object[] = []
    await page.route(`**${API}/processors?**`, (route) =>
      route.fulfill({ json: { processors: listed, meta: { limit: 100, offset: 0, total: 0 } } }),
    )
    await openConsole(page, user, '/console/default/settings/processors')
    await expect(page.getByText('built-in test processor')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Connect Stripe' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Secret key').fill('sk_live_0123456789')
    await expect(dialog.getByText('This is a live key')).toBeVisible()
    await dialog.getByLabel('Secret key').fill('sk_test_0123456789')
    await dialog.getByLabel('Publishable key').fill('pk_test_0123456789')
    await expectAccessible(page, 'dark')
    await page.route(`**${API}/processors`, (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: {
            type: 'INVALID_REQUEST',
            message: 'processor.secret_key is not accepted by Stripe',
          },
        },
      }),
    )
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Stripe does not accept the secret key')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    listed.push(
      { ...STRIPE, status: 'ACTIVE', webhook: { ...WEBHOOK, status: 'MISSING' } },
      { ...STRIPE, id: 'pr_2', status: 'BROKEN', webhook: { ...WEBHOOK, status: 'AUTOMATIC' } },
      { ...STRIPE, id: 'pr_3', status: 'DISABLED', webhook: { ...WEBHOOK, status: 'OFF' } },
    )
    await page.reload()
    await expect(page.getByText('may not make a webhook endpoint')).toBeVisible()
    await expect(page.getByText('Stripe refuses the key')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Disconnect' })).toHaveCount(2)
    await expectAccessible(page)
  },
)

test('a legal entity is added and changed @deep', async ({ page, user }) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/settings/entities')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Legal entities')
  const name = `Atelier ${Date.now()}`
  await page.getByRole('button', { name: 'Add a legal entity' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name in law').fill(name)
  await dialog.getByLabel('Country of its seat').fill('fr')
  await dialog.getByLabel('City').fill('Lyon')
  await dialog.getByLabel('Tax number', { exact: true }).fill('FR40303265045')
  await expectAccessible(page, 'dark')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('article', { name })
  await expect(card).toContainText('VAT FR40303265045')
  await card.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Text below receipts').fill('Thank you')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Thank you')
  await expectAccessible(page)
  const { legal_entities: stored } = await callApi<{ legal_entities: LegalEntityRecord[] }>(
    page,
    'GET',
    '/legal_entities?limit=100',
  )
  expect(stored.find(({ legal_name: its }) => its === name)).toMatchObject({
    country: 'FR',
    address: { line4: 'Lyon' },
  })
})

test('routes are added, tried, moved and ended @deep', async ({ page }) => {
  watchPolicy(page)
  await openConsole(page, await newUser(), '/console/default/settings/routes')
  await expect(page.getByText('there is none yet')).toBeVisible()
  await expectAccessible(page)
  const entity = async (name: string) =>
    callApi(page, 'POST', '/legal_entities', {
      legal_entity: { legal_name: name, country: 'FR' },
    })
  await entity('Atelier Nord SAS')
  await entity('Nord Trading Ltd')
  await page.reload()
  await expect(page.getByText('Every payment belongs to Atelier Nord SAS')).toBeVisible()
  const dialog = page.getByRole('dialog')
  const add = async (fields: Record<string, string>) => {
    await page.getByRole('button', { name: 'Add a route' }).click()
    await dialog.getByLabel('Belongs to').selectOption({ label: 'Nord Trading Ltd' })
    for (const [label, value] of Object.entries(fields)) {
      await dialog.getByLabel(label, { exact: true }).fill(value)
    }
  }
  await add({ Currencies: 'eur', From: '100', To: '50' })
  await expectAccessible(page, 'dark')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('must not be below from')
  await dialog.getByLabel('To', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const routes = page.getByRole('listitem').filter({ has: page.getByText('→') })
  await expect(routes).toContainText('in EUR, of €100.00 or more → Nord Trading Ltd')
  await add({ Currencies: 'GBP', 'Countries of payers': 'gb, ie' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(routes.last()).toContainText('in GBP, from United Kingdom or Ireland')
  await page.getByRole('button', { name: 'Move route 2 up' }).press('Enter')
  await expect(routes.first()).toContainText('GBP')
  await expect(page.getByRole('button', { name: 'Move route 1 down' })).toBeFocused()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Try it' }).click()
  await dialog.getByLabel('Amount').fill('120')
  await dialog.getByLabel('Amount').press('Enter')
  await expect(dialog.getByRole('status')).toContainText('Nord Trading Ltd by route 2')
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(dialog.getByRole('status')).toContainText('Atelier Nord SAS as the default')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete route 1' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(routes).toHaveCount(1)
})

test('origins are typed a line at a time, and languages are chosen by name @deep', async ({
  page,
}) => {
  watchPolicy(page)
  await openConsole(page, await newUser(), '/console/default/settings/embedding')
  const origins = page.getByRole('textbox', { name: 'Embedding' })
  await origins.pressSequentially('https://a.example\nhttps://b.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(origins).toHaveValue('https://a.example\nhttps://b.example')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Languages' }).click()
  await page.getByLabel('All languages that have wording').uncheck()
  await page.getByLabel('German').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expectAccessible(page, 'dark')
  const { instance } = await callApi<{ instance: { languages: string[] } }>(page, 'GET', '')
  expect(instance.languages).toContain('fr')
  expect(instance.languages).not.toContain('de')
})

test(
  'a saved test page names the origin to allow, and then shows the link',
  { tag: '@deep' },
  async ({ page }) => {
    watchPolicy(page)
    await openConsole(page, await newUser(), '/console/default/settings/embedding')
    await callApi(page, 'POST', '/payment_links', {
      payment_link: { options: { amount: '24.00', currency: 'EUR', name: 'Two bags of coffee' } },
    })
    await page.reload()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save a test page' }).click()
    const file = await readFile(await (await saving).path(), 'utf8')
    const site = await openSite((_path, response) => response.end(file))
    try {
      const shop = await page.context().newPage()
      await shop.goto(site.url)
      await expect(shop.getByRole('alert')).toContainText(
        `Add ${site.url} under Settings, Embedding`,
      )
      await expectAccessible(shop)

      await page.getByRole('textbox', { name: 'Embedding' }).fill(site.url)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Saved', { exact: true })).toBeVisible()
      await shop.reload()
      const frame = shop.frameLocator('iframe').first()
      await expect(frame.getByText('Two bags of coffee')).toBeVisible()
      await expect(shop.getByRole('listitem').first()).toContainText('checkstand:ready')
      await expect(shop.getByRole('alert')).toBeEmpty()
    } finally {
      site.close()
    }
  },
)
