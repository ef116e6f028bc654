import type { Page } from '@playwright/test'
import base from '../../locales/default.json' with { type: 'json' }
import { isOnPage, listIds } from '../../shared/rules/string-ids.ts'
import { expect, expectAccessible } from '../fixtures.ts'
import { test } from '../test.ts'
import { callApi, openConsole, watchPolicy } from './fixtures.ts'

const BRANDING = { key: 'kids', name: 'Corner Shop Kids', channels: ['kids-web'] }

const preview = (page: Page) => page.frameLocator('iframe[title="The payer’s page"]')
const sentence = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const unpublished = (page: Page, count: string) => page.getByRole('group', { name: count })

interface Overrides {
  string_overrides: { id: string; text: string }[]
}

async function newLink(page: Page): Promise<string> {
  const options = { amount: '24.00', currency: 'EUR', name: 'Workshop', channel: 'kids-web' }
  const body = { payment_link: { options } }
  const { payment_link } = await callApi<{ payment_link: { url: string } }>(
    page,
    'POST',
    '/payment_links',
    body,
  )
  return `${payment_link.url}?lang=fr`
}

async function currentVersion(page: Page): Promise<number> {
  const { meta } = await callApi<{ meta: { version: number } }>(page, 'GET', '/strings?limit=1')
  return meta.version
}

test('every sentence of the page is in some state, each with a name, and no mark is left', async ({
  page,
  user,
}) => {
  watchPolicy(page)
  await page.addInitScript(() => {
    addEventListener('message', ({ data }: MessageEvent<{ type: string; scenes: object }>) => {
      if (data.type === 'found') document.documentElement.dataset['found'] = JSON.stringify(data)
    })
  })
  await openConsole(page, user, '/console/default/wording')
  await expect(page.locator('html')).toHaveAttribute('data-found', /./)
  const text = await page.locator('html').getAttribute('data-found')
  const { scenes } = JSON.parse(text ?? '') as { scenes: Record<string, string[]> }
  const ids = listIds(base, 'default').filter(isOnPage)
  expect(ids.filter((id) => scenes[id] === undefined)).toEqual([])
  const states = page.getByRole('navigation', { name: 'States of the page' })
  expect(await states.getByRole('button').allInnerTexts()).not.toContainEqual(
    expect.stringMatching(/^[a-z]+(-[a-z0-9]+)+/),
  )
  const html = await preview(page).locator('html').innerHTML()
  expect(html).not.toMatch(/[\ue000-\uf8ff]/)
})

test('a sentence is changed in French for one branding; a page that is open keeps its words', async ({
  page,
  user,
}) => {
  watchPolicy(page)
  await openConsole(page, user, '/console/default/wording')
  await callApi(page, 'PUT', '', { instance: { brandings: [BRANDING] } })
  const [before, after] = [await newLink(page), await newLink(page)]
  const early = await page.context().newPage()
  await early.goto(before)
  await expect(early.getByRole('button', { name: 'Payer 24,00' })).toBeVisible()

  await page.goto('/console/default/wording?lang=fr&branding=kids')
  await preview(page)
    .locator('#sentences')
    .getByRole('button', { name: /^Payer 12,50/ })
    .click()
  await expect(sentence(page)).toHaveValue('Payer {amount}')
  await sentence(page).fill('Réserver pour {amout}')
  await expect(page.getByText('{amout} is not a placeholder of this sentence.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
  await sentence(page).fill('Réserver pour {amount}')
  await expect(preview(page).getByText(/^Réserver pour 12,50/)).toBeVisible()
  // What is drafted outlives the page.
  await page.reload()
  await expect(sentence(page)).toHaveValue('Réserver pour {amount}')
  await unpublished(page, '1 change').getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Payer {amount}', { exact: true })).toBeVisible()
  await expectAccessible(page, 'dark')
  await dialog.getByLabel('Note').fill('Reservations')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(unpublished(page, '1 change')).toBeHidden()

  const late = await page.context().newPage()
  await late.goto(after)
  await expect(late.getByRole('button', { name: 'Réserver pour 24,00' })).toBeVisible()
  await expect(early.getByRole('button', { name: 'Payer 24,00' })).toBeVisible()

  await page.getByRole('link', { name: 'History' }).click()

  const revision = page.getByRole('listitem').filter({ hasText: 'Reservations' })
  await revision.getByRole('button', { name: 'Take this back' }).click()
  await expect(page.getByRole('status').getByText('Taken back')).toBeVisible()
  const { string_overrides } = await callApi<Overrides>(page, 'GET', '/string_overrides')
  expect(string_overrides.filter(({ id }) => id === 'checkout.pay')).toEqual([])
})

test(
  'what another user published meanwhile is shown before it is replaced',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/wording?id=receipt.thanks&state=receipt')
    await expect(sentence(page)).toHaveValue(base['receipt.thanks'])
    await sentence(page).fill('Thanks from {merchant}.')
    const theirs = { id: 'receipt.thanks', text: 'Cheers from {merchant}.' }
    const base_version = await currentVersion(page)
    await callApi(page, 'POST', '/string_revisions', {
      revision: { base_version, changes: [theirs] },
    })
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Another user published meanwhile' })
    await expect(dialog.getByText('Cheers from {merchant}.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Publish mine' }).click()
    await expect(unpublished(page, '1 change')).toBeHidden()
    const { string_overrides } = await callApi<Overrides>(page, 'GET', '/string_overrides')
    expect(string_overrides).toContainEqual(
      expect.objectContaining({ id: 'receipt.thanks', text: 'Thanks from {merchant}.' }),
    )
    // The tests of a worker share the shop.
    const changes = [{ id: 'receipt.thanks', text: null }]
    const revision = { base_version: await currentVersion(page), changes }
    await callApi(page, 'POST', '/string_revisions', { revision })
  },
)

test(
  'sentences are translated side by side with the keyboard, and undone',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/wording')
    await expect(preview(page).locator('#sentences button').first()).toBeVisible()
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Find a sentence' })
    await expect(search).toBeFocused()
    await page.keyboard.type('Print')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: 'receipt.print' })).toBeVisible()
    await page.getByRole('button', { name: '1 language' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('French').check()
    await dialog.getByLabel('Japanese').check()
    await dialog.getByLabel('Add a language').fill('zz')
    await expect(dialog.getByText('No language has these letters.')).toBeVisible()
    await dialog.getByLabel('Add a language').fill('eo')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Show' }).click()
    for (const name of ['French', 'Japanese', 'Esperanto']) {
      await expect(page.getByRole('columnheader', { name })).toBeVisible()
    }
    // A sentence is found by its French text.
    await search.fill('Imprimer')
    await expect(page.getByRole('row', { name: 'receipt.print' })).toBeVisible()
    await search.fill('receipt.')
    await expectAccessible(page)
    // The filter, the choice of languages, and the whole table is one stop.
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab')
    await expect(page.getByRole('rowheader').first()).toBeFocused()
    await page.keyboard.press('End')
    const cell = page.getByRole('row').nth(1).getByRole('gridcell').last()
    await expect(cell).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Pagu denove {nenio}')
    await expect(page.getByText('{nenio} is not a placeholder of this sentence.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(cell).toBeFocused()
    await expect(unpublished(page, '1 change')).toBeHidden()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Pagu denove')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row').nth(2).getByRole('gridcell').last()).toBeFocused()
    await expect(unpublished(page, '1 change')).toBeVisible()
    await expect(cell).toContainText('Pagu denove')
    await expectAccessible(page, 'dark')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(unpublished(page, '1 change')).toBeHidden()
    // Enter on an id leads to the page.
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(sentence(page)).toBeVisible()
  },
)

test(
  'a sentence of consent is emptied with a second yes of an owner alone',
  { tag: '@deep' },
  async ({ page, user }) => {
    await openConsole(page, user, '/console/default/wording?id=consent.sentence')
    await sentence(page).fill('')
    await expect(page.getByText('Without this sentence')).toBeVisible()
    await unpublished(page, '1 change').getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog')
    const publish = dialog.getByRole('button', { name: 'Publish' })
    await expect(publish).toBeDisabled()
    await expect(dialog).toContainText('Payers see no sentence to consent to')
    await expectAccessible(page)
    await dialog.getByRole('checkbox', { name: 'Publish without it' }).check()
    await publish.click()
    await expect(page.getByText('Published', { exact: false }).first()).toBeVisible()
    const found = await callApi<Overrides>(
      page,
      'GET',
      '/string_overrides?criteria=id=consent.sentence',
    )
    expect(found.string_overrides.map(({ text }) => text)).toEqual([''])
    const version = await currentVersion(page)
    await callApi(page, 'POST', '/string_revisions', {
      revision: {
        base_version: version,
        changes: [{ id: 'consent.sentence', language: 'default', text: null }],
      },
    })
  },
)
