import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { TrustedProxies } from '../config.ts'
import { clientIp, isLocal, setClient } from './client-ip.ts'

interface Seen {
  peer?: string
  forwardedFor?: string
  proto?: string
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

describe('the client', () => {
  it.each<[string, Seen, TrustedProxies | undefined, string | undefined]>([
    ['is the connection', { peer: PAYER }, undefined, PAYER],
    [
      'is the connection, whatever the headers',
      { peer: PAYER, forwardedFor: '1.2.3.4' },
      undefined,
      PAYER,
    ],
    ['in the form of IPv6 is itself', { peer: `::ffff:${PAYER}` }, undefined, PAYER],
    ['is undefined without a connection', { forwardedFor: '1.2.3.4' }, ONE, undefined],
    ['behind one proxy is whom it names', { peer: PROXY, forwardedFor: PAYER }, ONE, PAYER],
    [
      'behind one proxy is not whom the client names',
      { peer: PROXY, forwardedFor: `1.2.3.4, ${PAYER}` },
      ONE,
      PAYER,
    ],
    [
      'behind two proxies is the second from the end',
      { peer: PROXY, forwardedFor: `1.2.3.4, ${PAYER}, 10.0.0.2` },
      TWO,
      PAYER,
    ],
    [
      'behind fewer proxies than said is the first named',
      { peer: PROXY, forwardedFor: PAYER },
      TWO,
      PAYER,
    ],
    ['is the proxy that names no client', { peer: PROXY }, ONE, PROXY],
    ['is the proxy that names nonsense', { peer: PROXY, forwardedFor: 'unknown' }, ONE, PROXY],
    [
      'is never what stands before nonsense',
      { peer: PROXY, forwardedFor: '1.2.3.4, unknown, 10.0.0.2' },
      { hops: 3 },
      '10.0.0.2',
    ],
    [
      'by networks is the last that is in none of them',
      { peer: PROXY, forwardedFor: `1.2.3.4, ${PAYER}, 10.9.9.9` },
      INSIDE,
      PAYER,
    ],
    [
      'by networks is the connection that is in none of them',
      { peer: PAYER, forwardedFor: '1.2.3.4' },
      INSIDE,
      PAYER,
    ],
    [
      'by networks is the first where all are in them',
      { peer: PROXY, forwardedFor: '10.1.1.1, 10.2.2.2' },
      INSIDE,
      '10.1.1.1',
    ],
    [
      'by networks may be IPv6',
      { peer: 'fd00::1', forwardedFor: '2001:db8::7' },
      INSIDE,
      '2001:db8::7',
    ],
    ['may be named with a port', { peer: PROXY, forwardedFor: `${PAYER}:51234` }, ONE, PAYER],
    [
      'may be named in brackets',
      { peer: PROXY, forwardedFor: '[2001:db8::7]:51234' },
      ONE,
      '2001:db8::7',
    ],
    [
      'may be named with spaces and gaps',
      { peer: PROXY, forwardedFor: ` , ${PAYER} ,` },
      ONE,
      PAYER,
    ],
    ['is no short form of an address', { peer: PROXY, forwardedFor: '1' }, ONE, PROXY],
  ])('%s', async (_what, seen, trusted, expected) => {
    expect((await client(seen, trusted))['address']).toBe(expected)
  })
})

describe('https', () => {
  it.each<[string, Seen, TrustedProxies | undefined, boolean | undefined]>([
    ['is not known without a proxy', { peer: PAYER, proto: 'https' }, undefined, undefined],
    [
      'is not known to a connection from elsewhere',
      { peer: PAYER, proto: 'https' },
      INSIDE,
      undefined,
    ],
    ['comes from the proxy', { peer: PROXY, forwardedFor: PAYER, proto: 'https' }, ONE, true],
    ['comes from the proxy: none', { peer: PROXY, forwardedFor: PAYER, proto: 'http' }, ONE, false],
    [
      'does not come from the client',
      { peer: PROXY, forwardedFor: PAYER, proto: 'https, http' },
      ONE,
      false,
    ],
    [
      'comes from the outer of two proxies',
      { peer: PROXY, forwardedFor: `${PAYER}, 10.0.0.2`, proto: 'https, http' },
      TWO,
      true,
    ],
    [
      'is the one word that all of them leave',
      { peer: PROXY, forwardedFor: `${PAYER}, 10.0.0.2`, proto: 'HTTPS' },
      INSIDE,
      true,
    ],
    ['is unknown if the proxy sends nothing', { peer: PROXY, forwardedFor: PAYER }, ONE, undefined],
  ])('%s', async (_what, seen, trusted, expected) => {
    expect((await client(seen, trusted))['https']).toBe(expected)
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
