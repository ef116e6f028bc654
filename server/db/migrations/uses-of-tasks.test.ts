import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { CARDS } from '../../../test/cards.ts'
import { openTaskBrowser } from '../../../test/task-browser.ts'
import { newTaskLink } from '../../../test/task-link.ts'
import { up } from './0048-uses-of-tasks.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

it('a method that was being saved before reserves a use, which its outcome counts', async () => {
  const link = await newTaskLink(app, app.merchant)
  const browser = await openTaskBrowser(app, link['id'])
  await browser.save(CARDS.challenge)
  app.pass(1)
  const { task } = (await browser.save(CARDS.challenge)).json
  const read = async () => (await app.merchant.api(`/deep_links/${link['id']}`)).json.deep_link
  await db.updateTable('deep_links').set({ reserved_uses: 0 }).execute()
  await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))
  expect(await read()).toMatchObject({ uses: 0, reserved_uses: 1 })
  await browser.approveAtBank(task.result.action_url)
  expect(await read()).toMatchObject({ uses: 1, reserved_uses: 0 })
})
