import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { connectionSource, loadLimits, recordUnread } from './server-limits.ts'

const app = await startTestApp({ TRUST_PROXY: '10.1.0.0/16' })
const { deps } = app.checkstand

const arriving = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

const counted = (networks: readonly { network: string }[]) => networks.map(({ network }) => network)

describe('an incomplete body', () => {
  it('is counted for the client that a trusted proxy names', () => {
    const { networksOf } = loadLimits(deps)
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect(counted(networksOf(arriving('10.1.0.1', forwarded)))).toEqual(['203.0.113.7'])
    expect(counted(networksOf(arriving('198.51.100.1', forwarded)))).toEqual(['198.51.100.1'])
  })

  it('of IPv6 also counts for its wider networks', () => {
    const networks = loadLimits(deps).networksOf(arriving('2001:db8:1:2ff::1'))
    expect(counted(networks)).toEqual([
      '2001:db8:1:2ff::/64',
      '2001:db8:1:200::/56',
      '2001:db8:1::/48',
    ])
  })

  it('that is rejected is recorded, with the limit and the network', () => {
    loadLimits(deps).refused('network-bodies', '203.0.113.7')
    expect(deps.security.counts().get('request_shed')).toBe(1)
    expect(app.logged()).toMatch(
      /"event":"request_shed".*"limit":"network-bodies".*"network":"203.0.113.7"/,
    )
  })
})

describe('a connection', () => {
  it('of a trusted proxy is not counted', () => {
    const { networksOf } = connectionSource(deps)
    expect(networksOf('10.1.0.1')).toEqual([])
    expect(networksOf('127.0.0.1')).toEqual([])
    expect(counted(networksOf('203.0.113.7'))).toEqual(['203.0.113.7'])
  })

  it('whose client does not read is recorded, with its network', () => {
    recordUnread(deps)('unread', '203.0.113.8')
    expect(app.logged()).toMatch(
      /"event":"connection_refused".*"limit":"unread".*"network":"203.0.113.8"/,
    )
  })

  it('that is rejected is recorded, with its network', () => {
    connectionSource(deps).refused('203.0.113.7')
    expect(deps.security.counts().get('connection_refused')).toBe(2)
    expect(app.logged()).toMatch(/"event":"connection_refused".*"network":"203.0.113.7"/)
  })
})
