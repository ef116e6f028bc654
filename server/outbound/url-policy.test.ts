import { describe, expect, it } from 'vitest'
import {
  AddressRejectedError,
  NameUnknown,
  resolveAllowedAddresses,
  outboundPolicy,
  urlError,
} from './url-policy.ts'

const LIVE = { allow: [], localhost: false }
const TEST = { allow: [], localhost: true }

/** Where a server for development is, by any name of this machine. */
const HERE = ['http://localhost:4242', 'http://127.0.0.1:4242', 'http://[::1]:4242']

describe('loopback', () => {
  it.each([
    ['TEST', '127.0.0.1', [], true],
    ['TEST', '::1', [], true],
    ['TEST', 'localhost', [], true],
    ['TEST', '0.0.0.0', [], false],
    ['TEST', '::', [], false],
    ['TEST', '192.168.1.10', [], false],
    ['LIVE', '127.0.0.1', [], false],
    ['TEST', '0.0.0.0', ['127.0.0.1/32'], true],
    ['LIVE', '127.0.0.1', ['127.0.0.1/32'], false],
  ] as const)(
    'may be called by a %s instance of a server for development on %s that allows %j: %s',
    (mode, host, outboundAllow, may) => {
      for (const baseUrl of HERE) {
        const config = { host, baseUrl, outboundAllow: [...outboundAllow] }
        expect(outboundPolicy(mode, config).localhost, baseUrl).toBe(may)
      }
    },
  )

  it.each([
    [[], false],
    [['10.0.0.0/8'], false],
    [['0.0.0.0/0', '::/0', '127.0.0.0/1'], false],
    [['127.0.0.0/8'], true],
    [['::1/128'], true],
  ])(
    'may be called where payers come through a proxy, and %j is allowed: %s',
    (outboundAllow, may) => {
      const config = { host: '127.0.0.1', baseUrl: 'https://pay.shop.example', outboundAllow }
      expect(outboundPolicy('TEST', config).localhost).toBe(may)
    },
  )
})

describe('the URL of a merchant', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/hooks?key=1',
    'HTTPS://shop.example:443/',
    'https://shop.example:8443/',
    'https://shop.example:8080/',
    'https://shop.example:80/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
  ])('may be %s', (url) => {
    expect([urlError(url, LIVE), urlError(url, TEST)]).toEqual([undefined, undefined])
  })

  it.each([
    'http://localhost:3000/hooks',
    'https://localhost:3000/hooks',
    'http://shop.localhost/hooks',
    'http://localhost.:3000/',
    'http://127.0.0.1:9/',
    'http://127.1/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]/',
  ])('may be %s in a TEST instance only', (url) => {
    expect(urlError(url, TEST)).toBeUndefined()
    expect(urlError(url, LIVE)).toBeDefined()
  })

  it.each([
    ['', 'must be an absolute https URL'],
    ['shop.example', 'must be an absolute https URL'],
    ['//shop.example', 'must be an absolute https URL'],
    ['https://', 'must be an absolute https URL'],
    ['https:shop.example', 'must be an absolute https URL'],
    ['https:\\\\shop.example', 'must be an absolute https URL'],
    ['https://shop.example\\@10.0.0.1/', 'must be an absolute https URL'],
    ['https://shop.example/a b', 'must be an absolute https URL'],
    ['https://shop.example/\n', 'must be an absolute https URL'],
    ['https://bücher.example/', 'must be an absolute https URL'],
    ['https://①②⑦.0.0.1/', 'must be an absolute https URL'],
    ['ftp://shop.example/', 'must be an absolute https URL'],
    ['file:///etc/passwd', 'must be an absolute https URL'],
    ['gopher://127.0.0.1:6379/_', 'must be an absolute https URL'],
    [`https://shop.example/${'a'.repeat(2048)}`, 'must be at most 2048 characters'],
    ['https://ada@shop.example/', 'may not carry a user name or password'],
    ['https://ada:secret@shop.example/', 'may not carry a user name or password'],
    ['http://shop.example/', 'must be https'],
    ['http://localhost.shop.example/', 'must be https'],
    ['https://shop.example:22/', 'must have one of the ports 443, 80, 8443 and 8080'],
    ['https://shop.example:0/', 'must have one of the ports 443, 80, 8443 and 8080'],
    ['https://10.0.0.1/', 'must lead to a public address'],
    ['https://169.254.169.254/latest/meta-data/', 'must lead to a public address'],
    ['https://0.0.0.0/', 'must lead to a public address'],
    ['https://0/', 'must lead to a public address'],
    ['https://167772161/', 'must lead to a public address'],
    ['https://012.0.0.1/', 'must lead to a public address'],
    ['https://0xa.0.0.1/', 'must lead to a public address'],
    ['https://10.1/', 'must lead to a public address'],
    ['https://[fc00::1]/', 'must lead to a public address'],
    ['https://[fe80::1]/', 'must lead to a public address'],
    ['https://[::ffff:10.0.0.1]/', 'must lead to a public address'],
    ['https://[64:ff9b::a00:1]/', 'must lead to a public address'],
    ['https://[2002:a00:1::]/', 'must lead to a public address'],
  ])('may not be %s: %s', (url, problem) => {
    expect(urlError(url, LIVE)).toBe(problem)
    expect(urlError(url, TEST)).toContain(problem)
  })

  it.each([
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
  ])('may not be %s, which is loopback', (url) => {
    expect(urlError(url, LIVE)).toBe('must lead to a public address')
    expect(urlError(url.replace('https', 'http'), LIVE)).toBe('must lead to a public address')
  })

  it('may be in a network that the operator allows, under all other rules', () => {
    const intranet = { allow: ['10.0.0.0/8'], localhost: false }
    expect(urlError('https://10.0.0.1:8443/', intranet)).toBeUndefined()
    expect(urlError('http://10.0.0.1/', intranet)).toBe('must be https')
    expect(urlError('https://10.0.0.1:9200/', intranet)).toContain('ports')
    expect(urlError('https://192.168.0.1/', intranet)).toContain('public')
  })
})

describe('the addresses of a name', () => {
  const lead = (url: string, addresses: string[], reach = LIVE) =>
    resolveAllowedAddresses(new URL(url), reach, async () => addresses)

  it('are all its addresses', async () => {
    const addresses = ['93.184.216.34', '2606:4700:4700::1111']
    expect(await lead('https://shop.example/', addresses)).toEqual(addresses)
  })

  it.each([
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['93.184.216.34', 'fd00::1']],
    [['nonsense']],
  ])('are refused when they are %j, in a TEST instance too', async (addresses) => {
    for (const reach of [LIVE, TEST]) {
      await expect(lead('https://shop.example/', addresses, reach)).rejects.toThrow(
        AddressRejectedError,
      )
    }
  })

  it('are an error when there is none', async () => {
    await expect(lead('https://shop.example/', [])).rejects.toThrow(NameUnknown)
  })

  it('are loopback for localhost names only', async () => {
    expect(await lead('http://localhost:1/', ['127.0.0.1', '::1'], TEST)).toHaveLength(2)
    await expect(lead('http://localhost:1/', ['127.0.0.1'], LIVE)).rejects.toThrow(
      AddressRejectedError,
    )
    await expect(lead('http://localhost:1/', ['10.0.0.1'], TEST)).rejects.toThrow(
      AddressRejectedError,
    )
  })

  it('are not resolved for a literal address', async () => {
    const resolve = () => Promise.reject(new Error('asked'))
    expect(
      await resolveAllowedAddresses(new URL('https://[2606:4700::1]/'), LIVE, resolve),
    ).toEqual(['2606:4700::1'])
    await expect(
      resolveAllowedAddresses(new URL('https://10.0.0.1/'), LIVE, resolve),
    ).rejects.toThrow(AddressRejectedError)
  })
})
