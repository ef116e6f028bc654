import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { readBytes, readJson } from './body.ts'
import { ApiError } from '../errors.ts'

const BYTES_MAX = 100
const JSON_TYPE = { 'content-type': 'application/json' }

interface Read {
  value?: unknown
  refused?: string
}

type Body = string | Uint8Array | ReadableStream<Uint8Array> | undefined

/** What the reader makes of one request, with a limit of `bytesMax` bytes. */
async function read(
  body: Body,
  headers: Record<string, string> = JSON_TYPE,
  options: { bytesMax?: number; optional?: boolean } = {},
): Promise<Read> {
  const result: Read = {}
  const app = new Hono()
  app.post('/', async (c) => {
    try {
      result.value = readJson(c, await readBytes(c, options.bytesMax ?? BYTES_MAX), options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      result.refused = error.message
      expect(error).toMatchObject({ type: 'INVALID_REQUEST', status: 400 })
    }
    return c.body(null)
  })
  const init = { method: 'POST', headers, duplex: 'half', ...(body === undefined ? {} : { body }) }
  const response = await app.fetch(new Request('http://shop.test/', init as RequestInit))
  expect(response.status).toBe(200)
  return result
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** A body without a length that counts how much of it was taken. */
function chunked(chunks: Uint8Array[]): {
  stream: ReadableStream<Uint8Array>
  taken: () => number
} {
  let at = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[at]
        at += 1
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, taken: () => at }
}

/** JSON text of exactly this many bytes. */
const jsonOf = (length: number) => `"${'x'.repeat(length - 2)}"`

describe('the size of a body', () => {
  it('may be the limit and not a byte more', async () => {
    expect(await read(jsonOf(BYTES_MAX))).toEqual({ value: 'x'.repeat(98) })
    expect(await read(jsonOf(BYTES_MAX + 1))).toEqual({ refused: 'body must be at most 100 bytes' })
  })

  it('is counted in bytes and not in characters', async () => {
    expect(await read(`"${'é'.repeat(49)}"`)).toEqual({ value: 'é'.repeat(49) })
    expect(await read(`"${'é'.repeat(50)}"`)).toHaveProperty('refused')
  })

  it('is counted while it arrives without Content-Length', async () => {
    const fits = chunked([bytes('{"a":'), bytes('"b"'), bytes('}')])
    expect(await read(fits.stream)).toEqual({ value: { a: 'b' } })
    const over = chunked([bytes(jsonOf(BYTES_MAX)), bytes(' ')])
    expect(await read(over.stream)).toEqual({ refused: 'body must be at most 100 bytes' })
  })

  it('is not read beyond the limit', async () => {
    const endless = chunked(Array.from({ length: 1000 }, () => bytes(' '.repeat(60))))
    expect(await read(endless.stream)).toHaveProperty('refused')
    expect(endless.taken()).toBeLessThan(5)
  })

  it.each([{}, { 'content-length': '50' }] as Record<string, string>[])(
    'must arrive whole, and is no defect where its sender hangs up (%j)',
    async (headers) => {
      let sent = false
      const broken = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent) controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
          else controller.enqueue(bytes('{"a":'))
          sent = true
        },
      })
      expect(await read(broken, { ...JSON_TYPE, ...headers })).toEqual({
        refused: 'body must be complete',
      })
    },
  )

  it('is refused when its sender hung up before it was read', async () => {
    const incoming = new Readable({ read: () => {} }).destroy()
    await once(incoming, 'close')
    const app = new Hono()
    app.post('/', async (c) => c.json(await readBytes(c, BYTES_MAX)))
    app.onError((error, c) => c.text(error.message, 400))
    const answer = await app.request('/', { method: 'POST' }, { incoming })
    expect(await answer.text()).toBe('body must be complete')
  })

  it('rejects a Content-Length beyond the limit', async () => {
    const small = chunked([bytes('{}')])
    const headers = { ...JSON_TYPE, 'content-length': '101' }
    expect(await read(small.stream, headers)).toEqual({ refused: 'body must be at most 100 bytes' })
    expect(small.taken()).toBe(0)
  })

  it('is counted despite a smaller Content-Length', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '2' }
    const large = chunked([bytes(jsonOf(BYTES_MAX + 1))])
    expect(await read(large.stream, headers)).toHaveProperty('refused')
  })

  it.each(['abc', '-1', 'NaN'])(
    'is counted when its header is the senseless %s',
    async (length) => {
      const headers = { ...JSON_TYPE, 'content-length': length }
      expect(await read(chunked([bytes('{}')]).stream, headers)).toEqual({ value: {} })
      expect(await read(chunked([bytes(jsonOf(200))]).stream, headers)).toHaveProperty('refused')
    },
  )
})

describe('the content type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=utf-8',
    'application/json ; charset=utf-8',
    'Application/JSON',
  ])('may be "%s"', async (type) => {
    expect(await read('{}', { 'content-type': type })).toEqual({ value: {} })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
    'text/plain; application/json',
    'text/json',
  ])('may not be "%s"', async (type) => {
    expect(await read('{}', { 'content-type': type })).toEqual({
      refused: 'Content-Type must be application/json',
    })
  })

  it('may not be missing', async () => {
    expect(await read(bytes('{}'), {})).toHaveProperty('refused')
  })
})

describe('a missing body', () => {
  it('is undefined if optional, for any content type', async () => {
    expect(await read(undefined, {}, { optional: true })).toEqual({ value: undefined })
    expect(await read('', JSON_TYPE, { optional: true })).toEqual({ value: undefined })
  })

  it('is an empty object if required, so that the error names the missing member', async () => {
    expect(await read(undefined)).toEqual({ value: {} })
    expect(await read('', {})).toEqual({ value: {} })
  })

  it('differs from a body of spaces', async () => {
    expect(await read(' ', JSON_TYPE, { optional: true })).toHaveProperty('refused')
  })
})

describe('the text of a body', () => {
  it.each([
    '{',
    '{a:1}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}{"b":2}',
    'undefined',
    'NaN',
    '01',
    '"\n"',
  ])('may not be %j', async (text) => {
    expect(await read(text)).toEqual({ refused: 'body must be valid JSON' })
  })

  it.each([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])(
    'may not be broken UTF-8 (%#)',
    async (...broken) => {
      const body = Uint8Array.from([0x22, ...broken, 0x22])
      expect(await read(body)).toEqual({ refused: 'body must be valid JSON' })
    },
  )

  it('may have a character that is split over two chunks', async () => {
    const [open, ...rest] = ['"', '€', '"'].flatMap((part) => [...bytes(part)])
    const stream = chunked([Uint8Array.of(open ?? 0, rest[0] ?? 0), Uint8Array.from(rest.slice(1))])
    expect(await read(stream.stream)).toEqual({ value: '€' })
  })
})

describe('the shape of a body', () => {
  const wide = { bytesMax: 1_000_000 }
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it('may be 32 levels deep and no deeper', async () => {
    expect(await read(nested(32), JSON_TYPE, wide)).toHaveProperty('value')
    expect(await read(nestedObjects(32), JSON_TYPE, wide)).toHaveProperty('value')
    const refused = 'body must be nested at most 32 levels deep'
    expect(await read(nested(33), JSON_TYPE, wide)).toEqual({ refused })
    expect(await read(nestedObjects(33), JSON_TYPE, wide)).toEqual({ refused })
  })

  it('does not exhaust the stack at any depth', async () => {
    const { refused } = await read(nested(100_000), JSON_TYPE, wide)
    expect(refused).toContain('body must be')
  })

  it('may have 10 000 members in all and no more', async () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 0))
    expect(await read(list(10_000), JSON_TYPE, wide)).toHaveProperty('value')
    const refused = 'body must have at most 10000 members'
    expect(await read(list(10_001), JSON_TYPE, wide)).toEqual({ refused })
    const spread = Array.from({ length: 101 }, () =>
      Object.fromEntries([...Array(99).keys()].entries()),
    )
    expect(await read(JSON.stringify(spread), JSON_TYPE, wide)).toEqual({ refused })
  })

  it('is passed on unchanged, also with a __proto__ member', async () => {
    const text = '{"__proto__":{"admin":true},"a":[1,null,"b"]}'
    const { value } = await read(text)
    expect(JSON.stringify(value)).toBe(text)
    expect('admin' in {}).toBe(false)
  })
})
