import { expect, it } from 'vitest'
import { basic, type Call, startTestApp } from '../../test/app.ts'
import { newTaskLink } from '../../test/task-link.ts'

/** Who knows the id of a link to a task can do the task. */

const app = await startTestApp()
const { merchant } = app
const { api, instance } = merchant

async function withScopes(...scopes: string[]) {
  const { json } = await api('/secret_keys', { body: { secret_key: { name: 'Some', scopes } } })
  const headers = { authorization: basic(`${json.secret_key.secret}:`) }
  return (path: string, call: Call = {}) =>
    app.call(`/c/api/instances/${instance.key}${path}`, { ...call, headers })
}

const task = await newTaskLink(app, merchant)
const links = ['payment_links:read', 'payment_links:write']

it('a caller who may not save methods makes no link that saves one, and sees none', async () => {
  const narrow = await withScopes(...links)
  const { action, account, expires } = task
  const body = { deep_link: { action, account, expires } }
  const made = await narrow('/deep_links', { body })
  expect([made.status, made.text]).toEqual([403, expect.stringContaining('accounts:write')])
  expect((await narrow(`/deep_links/${task.id}`)).status).toBe(403)
  const listed = await narrow('/deep_links?criteria=archived!')
  expect([listed.status, listed.json.deep_links, listed.json.meta.total]).toEqual([200, [], 0])

  const wide = await withScopes(...links, 'accounts:write')
  expect((await wide('/deep_links', { body })).status).toBe(200)
  expect((await wide(`/deep_links/${task.id}`)).json.deep_link.id).toBe(task.id)
  expect((await wide('/deep_links')).json.meta.total).toBe(2)
})

it('a caller who may not change contracts makes no link that manages one', async () => {
  const narrow = await withScopes(...links, 'accounts:write')
  const body = {
    deep_link: {
      action: 'MANAGE_CONTRACT',
      account: task.account,
      contract: 'co_1893499200000_0a1b2c3d4e5f6g7h',
      expires: task.expires,
      allow: ['CANCEL'],
    },
  }
  const made = await narrow('/deep_links', { body })
  expect([made.status, made.text]).toEqual([403, expect.stringContaining('charges:write')])
  const wide = await withScopes(...links, 'charges:write')
  // The permission is there, and the contract is not.
  expect((await wide('/deep_links', { body })).status).not.toBe(403)
})

it('a caller who may not do any task makes links that payers pay', async () => {
  const narrow = await withScopes(...links)
  const made = await narrow('/deep_links', { body: { deep_link: { action: 'PAY' } } })
  expect(made.status, made.text).toBe(200)
  expect((await narrow('/deep_links')).json.deep_links).toHaveLength(1)
})
