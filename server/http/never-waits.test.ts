import { describe, expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'

/**
 * Maximum time that other requests wait behind one request, as a multiple of what this machine
 * takes to parse five megabytes of JSON at the same moment.
 */
const PARSES_MAX = 6
const MEGABYTES_OF_JSON = JSON.stringify(Array.from({ length: 370_000 }, (_, at) => ({ id: at })))
const TURNS = 3

const app = await startTestApp()

/**
 * Returns the longest block of the event loop during a request, as a multiple of a parse: in CPU
 * time and the least of a few turns, so that other programs on the machine do not affect it.
 */
async function longestBlock(ask: () => Promise<unknown>): Promise<number> {
  const blocks: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    let longest = 0
    let isOver = false
    let last = computed()
    const look = () => {
      const now = computed()
      longest = Math.max(longest, now - last)
      last = now
      if (!isOver) setImmediate(look)
    }
    setImmediate(look)
    await ask()
    await new Promise(setImmediate)
    isOver = true
    blocks.push(longest)
  }
  return Math.min(...blocks) / parseTime()
}

/** Returns how long this machine takes to parse five megabytes of JSON, in milliseconds of CPU time. */
function parseTime(): number {
  const began = computed()
  JSON.parse(MEGABYTES_OF_JSON)
  return computed() - began
}

/** Milliseconds that this thread has computed. */
function computed(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const filled = (head: string, item: string, tail: string, bytes: number) => {
  const count = Math.floor((bytes - head.length - tail.length) / (item.length + 1))
  return head + Array.from({ length: count }, () => item).join(',') + tail
}
const TEN_MEGABYTES = 9_999_999
const ONE_MEGABYTE = 1_000_000
const notes = (value: string) =>
  `{"account":{"crm_key":"a","metadata":{${Array.from({ length: Math.floor(950_000 / (value.length + 10)) }, (_, at) => `"k${at}":"${value}"`).join(',')}}}}`

const WORST: [name: string, path: string, body: string][] = [
  ['a number of 63 900 digits', '/pay/pl_unknown_1/checkouts', `{"x":1${'0'.repeat(63_900)}1}`],
  ['a number of a megabyte', '/accounts', `{"x":1${'0'.repeat(990_000)}1}`],
  ['ten megabytes of numbers', '/strings', filled('{"strings":[', '1e1', ']}', TEN_MEGABYTES)],
  ['ten megabytes of objects', '/strings', filled('{"strings":[', '{}', ']}', TEN_MEGABYTES)],
  ['ten megabytes of brackets', '/strings', '['.repeat(TEN_MEGABYTES)],
  [
    'ten megabytes of escapes',
    '/strings',
    `{"strings":["${'\\n'.repeat(TEN_MEGABYTES / 2 - 10)}"]}`,
  ],
  [
    'as many strings as there may be',
    '/strings',
    `{"strings":[${Array.from({ length: 20_000 }, () => '{"id":"methods.title","text":"x"}').join(',')}]}`,
  ],
  [
    'as many wrong members as there may be',
    '/payment_links',
    `{"payment_link":{${Array.from({ length: 9_990 }, (_, at) => `"k${at}":1`).join(',')}}}`,
  ],
  [
    'as many wrong items as there may be',
    '/strings',
    `{"strings":[${Array.from({ length: 20_000 }, () => '{"id":1}').join(',')}]}`,
  ],
  [
    'a megabyte of numbers',
    '/payment_links',
    filled('{"payment_link":{"state":[', '1e1', ']}}', ONE_MEGABYTE),
  ],
  ['a megabyte that looks like cards', '/accounts', notes('4242 4242 4242 4241 '.repeat(200))],
  ['a megabyte of digits', '/accounts', notes('4'.repeat(4990))],
  ['a megabyte of short notes', '/accounts', notes('4242 4242 4242 4241 ')],
]

describe('other requests do not wait long behind a request', () => {
  it.each(WORST)('of %s', async (_name, path, body) => {
    const url = path.startsWith('/pay') ? path : `/c/api/instances/default${path}`
    const headers = {
      'content-type': 'application/json',
      authorization: basic(`${app.merchant.secretKey}:`),
    }
    const ask = () =>
      app.checkstand.fetch(new Request(`http://shop.test${url}`, { method: 'POST', body, headers }))
    expect(await longestBlock(async () => (await ask()).arrayBuffer())).toBeLessThan(PARSES_MAX)
  })

  it.each([
    ['criteria', (n: number) => 'created=' + 'T'.repeat(n)],
    ['order', (n: number) => Array.from({ length: n / 5 }, (_, at) => `a${at}`).join(',')],
    ['expand', (n: number) => ','.repeat(n)],
  ])('with the longest %s', async (name, make) => {
    const url = `/accounts?${name}=${encodeURIComponent(make(5000))}`
    expect(await longestBlock(() => app.merchant.api(url))).toBeLessThan(PARSES_MAX)
  })
})
