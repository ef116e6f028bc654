import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { listen } from '../../test/listen.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { fetch: handle } = app.checkstand
const server = createAdaptorServer({
  fetch: (request, connection) => handle(request, connection),
}) as Server
const base = `http://127.0.0.1:${await listen(server)}`
const link = await newLink(app.merchant)

/** Of the connection, and those that are another one for each request. */
const OWN = [
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'x-request-id',
  'content-length',
  'set-cookie',
]

it.each([
  '/livez',
  '/nowhere',
  `/pay/${link.id}`,
  '/sign-in',
  '/openapi.json',
  '/widget.js',
  '/docs',
])('%s has the same headers with a connection and without one', async (path) => {
  const headersOf = ({ headers }: { headers: Headers }) =>
    [...headers].filter(([name]) => !OWN.includes(name))
  const direct = await app.call(path)
  const sent = await fetch(base + path, { headers: { 'accept-encoding': 'identity' } })
  expect(sent.status).toBe(direct.status)
  expect(headersOf(sent)).toEqual(headersOf(direct))
  expect(sent.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(sent.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})
