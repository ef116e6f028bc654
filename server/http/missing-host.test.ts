import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { openRaw } from '../../test/raw-http.ts'

const app = await startTestApp({ PORT: '0' })
const port = await app.checkstand.start()

async function ask(head: string): Promise<string> {
  const { send, closed } = await openRaw(port)
  send(`${head}\r\n\r\n`)
  return closed
}

it('answers a probe by HTTP/1.0, which has no Host', async () => {
  expect(await ask('GET /readyz HTTP/1.0')).toMatch(/^HTTP\/1\.[01] 200 /)
  expect(await ask('HEAD /livez HTTP/1.0')).toMatch(/^HTTP\/1\.[01] 200 /)
})

it('refuses a request by HTTP/1.1 without Host, as RFC 9112 requires', async () => {
  expect(await ask('GET /readyz HTTP/1.1')).toMatch(/^HTTP\/1\.1 400 /)
})
