import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'

const app = await startTestApp()

it('links to the sign-in and the documentation', async () => {
  const { status, headers, text } = await app.call('/')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  expect(headers.get('set-cookie')).toBeNull()
  expect(text).toContain('To pay, open the link that you received.')
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] as string)
  expect(links).toEqual(['/sign-in', '/docs'])
  for (const link of links) expect((await app.call(link)).status).toBe(200)
})

it('uses the browser’s language and rejects a POST', async () => {
  const german = await app.call('/', { headers: { 'accept-language': 'de-AT,de;q=0.9' } })
  expect(german.text).toContain('Öffnen Sie zum Bezahlen den Link')
  const posted = await app.call('/', { method: 'POST', raw: 'a=b' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
})
