import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { TrustedProxies } from '../config.ts'
import { clientIp, isLocal, setClient } from './client-ip.ts'

interface Seen {
  peer?: string | undefined
  forwardedFor?: string | undefined
  proto?: string | undefined
}

/** What is noted of a request from `peer` with these headers. */
async function client({ peer, forwardedFor, proto }: Seen, trusted?: TrustedProxies) {
  const app = new Hono()
  app.use(setClient(trusted))
  app.get('/', (c) => c.json({ ...c.get('client'), same: clientIp(c) ?? null }))
  const headers = {
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }),
  }
  const connection =
    peer === undefined ? undefined : { incoming: { socket: { remoteAddress: peer } } }
  const response = await app.fetch(new Request('http://shop.test/', { headers }), connection)
  const { same, ...noted } = (await response.json()) as Record<string, unknown>
  expect(same).toBe(noted['address'] ?? null)
  return noted
}

const PROXY = '10.0.0.1'
const PAYER = '203.0.113.7'
const ONE = { hops: 1 }
const TWO = { hops: 2 }
const INSIDE = { networks: ['10.0.0.0/8', 'fd00::/8'] }

type ClientCase = [
  what: string,
  expected: string | undefined,
  trusted: TrustedProxies | undefined,
  peer: string | undefined,
  forwardedFor?: string,
]

describe('the client', () => {
  it.each<ClientCase>([
    ['is the connection', PAYER, undefined, PAYER],
    ['is the connection, whatever the headers', PAYER, undefined, PAYER, '1.2.3.4'],
    ['in the form of IPv6 is itself', PAYER, undefined, `::ffff:${PAYER}`],
    ['is undefined without a connection', undefined, ONE, undefined, '1.2.3.4'],
    ['behind one proxy is whom it names', PAYER, ONE, PROXY, PAYER],
    ['behind one proxy is not whom the client names', PAYER, ONE, PROXY, `1.2.3.4, ${PAYER}`],
    ['behind two is the second from the end', PAYER, TWO, PROXY, `1.2.3.4, ${PAYER}, 10.0.0.2`],
    ['behind fewer proxies than said is the first named', PAYER, TWO, PROXY, PAYER],
    ['is the proxy that names no client', PROXY, ONE, PROXY],
    ['is the proxy that names nonsense', PROXY, ONE, PROXY, 'unknown'],
    ['is not before nonsense', '10.0.0.2', { hops: 3 }, PROXY, '1.2.3.4, unknown, 10.0.0.2'],
    ['by networks is the last in none', PAYER, INSIDE, PROXY, `1.2.3.4, ${PAYER}, 10.9.9.9`],
    ['by networks is the connection that is in none of them', PAYER, INSIDE, PAYER, '1.2.3.4'],
    ['by networks is the first if all are', '10.1.1.1', INSIDE, PROXY, '10.1.1.1, 10.2.2.2'],
    ['by networks may be IPv6', '2001:db8::7', INSIDE, 'fd00::1', '2001:db8::7'],
    ['may be named with a port', PAYER, ONE, PROXY, `${PAYER}:51234`],
    ['may be named in brackets', '2001:db8::7', ONE, PROXY, '[2001:db8::7]:51234'],
    ['may be named with spaces and gaps', PAYER, ONE, PROXY, ` , ${PAYER} ,`],
    ['is no short form of an address', PROXY, ONE, PROXY, '1'],
  ])('%s', async (_what, expected, trusted, peer, forwardedFor) => {
    expect((await client({ peer, forwardedFor }, trusted))['address']).toBe(expected)
  })
})

type HttpsCase = [
  what: string,
  expected: boolean | undefined,
  trusted: TrustedProxies | undefined,
  proto: string | undefined,
  peer: string,
  forwardedFor?: string,
]

describe('https', () => {
  it.each<HttpsCase>([
    ['is not known without a proxy', undefined, undefined, 'https', PAYER],
    ['is not known to a connection from elsewhere', undefined, INSIDE, 'https', PAYER],
    ['comes from the proxy', true, ONE, 'https', PROXY, PAYER],
    ['comes from the proxy: none', false, ONE, 'http', PROXY, PAYER],
    ['does not come from the client', false, ONE, 'https, http', PROXY, PAYER],
    ['comes from the outer of two', true, TWO, 'https, http', PROXY, `${PAYER}, 10.0.0.2`],
    ['is the one word that all leave', true, INSIDE, 'HTTPS', PROXY, `${PAYER}, 10.0.0.2`],
    ['is unknown if the proxy sends nothing', undefined, ONE, undefined, PROXY, PAYER],
  ])('%s', async (_what, expected, trusted, proto, peer, forwardedFor) => {
    expect((await client({ peer, forwardedFor, proto }, trusted))['https']).toBe(expected)
  })
})

it.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  [undefined, true],
  ['10.0.0.1', false],
  ['203.0.113.7', false],
])('%s is this machine: %s', (address, local) => {
  expect(isLocal({ address, https: undefined, isHeaderShort: false })).toBe(local)
})

it.each<[string, Seen, TrustedProxies | undefined, boolean]>([
  ['no proxy is believed', { peer: PROXY }, undefined, false],
  ['there is said to be none', { peer: PAYER, forwardedFor: '1.2.3.4' }, { hops: 0 }, false],
  ['each proxy has written', { peer: PROXY, forwardedFor: PAYER }, ONE, false],
  ['the one proxy writes nothing', { peer: PROXY }, ONE, true],
  ['there is one of two', { peer: PROXY, forwardedFor: PAYER }, TWO, true],
  ['a network of proxies writes nothing', { peer: PROXY }, INSIDE, true],
  ['the peer is none of the proxies', { peer: PAYER }, INSIDE, false],
])('the header is too short for the proxies where %s: %#', async (_what, seen, trusted, short) => {
  expect((await client(seen, trusted))['isHeaderShort']).toBe(short)
})

it('with TRUST_PROXY=none the client is the peer of the connection, for any headers', async () => {
  const seen = { peer: PAYER, forwardedFor: '1.2.3.4', proto: 'https' }
  expect(await client(seen, { hops: 0 })).toMatchObject({ address: PAYER })
})
