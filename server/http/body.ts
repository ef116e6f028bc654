import type { Context } from 'hono'
import { MAY_CHANGE, keepsItsValue } from './numbers.ts'
import { Refusal, invalid } from './refusal.ts'

/** Reading request bodies with limits that hold whatever the headers claim. */

export const BODY_BYTES_MAX = 1_000_000
export const PAYER_BODY_BYTES_MAX = 64_000
const DEPTH_MAX = 32
const KEYS_MAX = 10_000

/**
 * The parsed JSON of a request's bytes.
 *
 * Refuses a wrong content type, broken UTF-8, broken JSON, numbers that would change, and nesting or
 * width that only an attack would have (contract section 0, safety rows 25 and 26). An empty body is undefined where
 * `optional` is set.
 */
export function readJson(
  c: Context,
  bytes: Buffer,
  options: { keysMax?: number | undefined; optional?: boolean } = {},
): unknown {
  if (bytes.length === 0 && options.optional) return undefined
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal('INVALID_REQUEST', 'Content-Type must be application/json')
  }
  const value = parse(bytes)
  checkSize(value, options.keysMax ?? KEYS_MAX)
  return value
}

/**
 * The bytes of a body. Refuses more than `bytesMax`: by the header first, and then counted while
 * they arrive, because a chunked body has no length. Refuses a body whose sender hung up in its
 * middle, too: that is no defect of ours, and anybody could fill the log with it.
 */
export async function readBytes(c: Context, bytesMax: number): Promise<Buffer> {
  try {
    return await readWhole(c, bytesMax)
  } catch (error) {
    throw error instanceof Refusal ? error : invalid('body', 'must arrive whole')
  }
}

async function readWhole(c: Context, bytesMax: number): Promise<Buffer> {
  const announced = c.req.header('content-length')
  if (announced !== undefined) {
    if (Number(announced) > bytesMax) throw tooLarge(bytesMax)
    // HTTP itself ends the body at the announced length, and this way avoids a web stream.
    const bytes = Buffer.from(await c.req.arrayBuffer())
    if (bytes.length > bytesMax) throw tooLarge(bytesMax)
    return bytes
  }
  const stream = c.req.raw.body
  if (!stream) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

function tooLarge(bytesMax: number): Refusal {
  // The code is that of the strings area, the only one whose errors carry codes.
  return new Refusal('INVALID_REQUEST', `body must be at most ${bytesMax} bytes`, {
    code: 'SVC-7006',
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes)
    return parseWithSource(text, MAY_CHANGE.test(text) ? keepNumber : undefined)
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : new Refusal('INVALID_REQUEST', 'body must be valid JSON')
  }
}

/** What is called with each value, and for a number with its text, which the language's types lack. */
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown

function keepNumber(name: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value === 'number' && !keepsItsValue(source ?? '', value)) {
    throw invalid(name === '' ? 'body' : name, 'is a number that cannot be kept; send it as text')
  }
  return value
}

/** Walks with a list instead of recursion, so that depth cannot exhaust the stack. */
function checkSize(root: unknown, keysMax: number): void {
  let keys = 0
  const open: [unknown, number][] = [[root, 1]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH_MAX) {
      throw new Refusal('INVALID_REQUEST', `body must be nested at most ${DEPTH_MAX} levels deep`)
    }
    const members = Object.values(value) as unknown[]
    keys += members.length
    if (keys > keysMax) {
      throw new Refusal('INVALID_REQUEST', `body must have at most ${keysMax} members`)
    }
    for (const member of members) open.push([member, depth + 1])
  }
}
