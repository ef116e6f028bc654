import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const app = await startTestApp()
const { api } = app.merchant
const VIEW = { name: 'Large', list: 'payments', query: 'where=amount%3E%3D1000' }
const share = (view: object) => api('/views', { body: { view } })

describe('shared views', () => {
  it('are listed, with who shared them, until somebody deletes them', async () => {
    const made = await share(VIEW)
    expect(made.json.view).toMatchObject({ ...VIEW, id: expect.stringMatching(/^vw_/) })
    const found = await api('/views?criteria=list=payments&expand=created_session')
    expect(found.json.views).toEqual([
      { ...made.json.view, created_session: expect.objectContaining({ type: 'API_KEY' }) },
    ])
    expect((await api(`/views/${made.json.view.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await api('/views')).json.views).toEqual([])
    expect((await api(`/views/${made.json.view.id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('have one name each in a list', async () => {
    const names = await Promise.all([share(VIEW), share(VIEW)])
    expect(names.filter(({ status }) => status === 200)).toHaveLength(1)
    const { json } = await share(VIEW)
    expect(json.error).toMatchObject({
      type: 'DUPLICATE',
      message: 'view.name is taken by another view of this list',
    })
    expect((await share({ ...VIEW, list: 'charges' })).status).toBe(200)
  })

  it.each([
    [{ ...VIEW, name: '' }, 'view.name'],
    [{ ...VIEW, list: 'No list' }, 'view.list'],
    [{ ...VIEW, columns: [] }, 'Unknown field view.columns'],
  ])('refuse %j', async (wrong, message) => {
    const { status, json } = await share(wrong)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('are at most 200', async () => {
    const { total } = (await api('/views')).json.meta
    for (let n = total; n < 200; n += 1) {
      expect((await share({ ...VIEW, name: `View ${n}` })).status).toBe(200)
    }
    const { status, json } = await share({ ...VIEW, name: 'One more' })
    expect([status, json.error.message]).toEqual([400, 'An instance may have at most 200 views'])
  })
})
