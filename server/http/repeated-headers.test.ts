import { expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { openRaw } from '../../test/raw-http.ts'

const app = await startTestApp({ PORT: '0' })
const port = await app.checkstand.start()

/** Returns the response to a request with these header lines. */
async function ask(lines: string[], body = ''): Promise<string> {
  const { send, received: heard } = await openRaw(port)
  const all = [...lines, `Content-Length: ${body.length}`]
  send(`POST /c/api/instances/default/accounts HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`)
  await expect.poll(heard).toMatch(/\r\n\r\n[^]*\}$/)
  return heard()
}

const ACCOUNT = JSON.stringify({ account: { crm_key: 'C1' } })

it.each([
  ['Host', 'elsewhere.test'],
  ['host', 'localhost'],
  ['Authorization', 'Basic eDo='],
  ['Content-Type', 'application/json'],
  ['Idempotency-Key', 'k1'],
  ['If-Match', '"2"'],
  ['Origin', 'http://shop.test'],
  ['Sec-Fetch-Site', 'same-origin'],
])('a request with two headers %s is rejected', async (name, second) => {
  const lines = [
    'Host: localhost',
    `Authorization: ${basic(`${app.merchant.secretKey}:`)}`,
    'Content-Type: application/json',
    'Idempotency-Key: k1',
    'If-Match: "1"',
    'Origin: http://shop.test',
    'Sec-Fetch-Site: same-origin',
  ]
  expect(await ask(lines, ACCOUNT)).toMatch(/^HTTP\/1\.1 200 /)
  const response = await ask([...lines, `${name}: ${second}`], ACCOUNT)
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response.toLowerCase()).toContain(`"${name.toLowerCase()} must not be repeated"`)
})

it.each([
  ['Content-Length', '60'],
  ['Transfer-Encoding', 'chunked'],
])('rejects a request with a second length in %s', async (name, value) => {
  const { send, closed } = await openRaw(port)
  send(`POST /csp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n${name}: ${value}\r\n\r\n{}`)
  expect(await closed).toMatch(/^HTTP\/1\.1 400 /)
})

it('list headers may be repeated', async () => {
  const { send, received: heard } = await openRaw(port)
  const parts = 'X-Forwarded-For: 10.0.0.1\r\nAccept-Language: de\r\n'
  send(`GET /livez HTTP/1.1\r\nHost: localhost\r\n${parts}${parts}\r\n`)
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 /)
})
