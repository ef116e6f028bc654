import { type Context, Hono } from 'hono'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import type { Deps } from '../deps.ts'
import { ApiError, notFound, tooManyRequests } from '../errors.ts'
import { readBytes, TOO_LARGE } from '../http/body.ts'
import { NotAuthentic, type Processor, type ProcessorNotice } from '../processors/port.ts'
import { clientNetworks } from '../rate-limits/client-network.ts'
import { createTokenBuckets } from '../rate-limits/token-bucket.ts'
import { clientIp } from '../http/client-ip.ts'
import { type Expedite, recordNotice } from './record-notice.ts'

/**
 * `POST /processors/{name}/webhooks/{id}` receives what a processor tells about a connection. The
 * request has no other credential than its signature, and its content is never believed: it brings the
 * times forward at which the processor is asked. Nothing is asked inside the request.
 */

const BODY_BYTES_MAX = 256_000
/** A processor sends several for each payment, from few addresses. */
const PER_MINUTE = 6000
const RETRY_SECONDS = 30

export interface NoticeRoutesOptions {
  expedite: Expedite
  /** The server is shutting down. */
  draining: () => boolean
  /** Requests per minute from a network. */
  perMinute?: number
}

export function noticeRoutes(
  deps: Deps,
  { expedite, draining, perMinute = PER_MINUTE }: NoticeRoutesOptions,
): Hono {
  const buckets = createTokenBuckets(perMinute)
  const app = new Hono()
  app.post('/:name/webhooks/:id', async (c) => {
    for (const { network, factor } of clientNetworks(clientIp(c))) {
      const waitMs = buckets.take(network, deps.realNow(), factor)
      if (waitMs > 0) {
        throw tooManyRequests('Too many notifications; try again later', waitMs, {
          event: 'requests_limited',
          limit: 'NOTICES',
        })
      }
    }
    if (draining()) throw unavailable('The server is shutting down')
    const body = await readBody(c)
    if (body === undefined) {
      const message = `body must be at most ${BODY_BYTES_MAX} bytes`
      return c.json({ error: { type: 'INVALID_REQUEST', message } }, 413)
    }
    const { connection, processor } = await findProcessor(deps, c.req.param())
    const notice = await parse(deps, { connection, processor, body, headers: c.req.raw.headers })
    await recordNotice(deps, { connection, notice, expedite })
    return c.body(null, 204)
  })
  return app
}

/** Returns undefined for a body that is too long. */
async function readBody(c: Context): Promise<Buffer | undefined> {
  try {
    return await readBytes(c, BODY_BYTES_MAX)
  } catch (error) {
    if (error instanceof ApiError && error.code === TOO_LARGE) return undefined
    throw error
  }
}

/** Throws the same 404 for a connection that is unknown, of another processor, or disabled. */
async function findProcessor(
  { db, processors }: Deps,
  { name, id }: { name: string; id: string },
): Promise<{ connection: ProcessorConnectionRow; processor: NoticeParser }> {
  const connection = await db
    .selectFrom('processor_connections')
    .selectAll()
    .where('id', '=', id)
    .where('name', '=', name)
    .where('status', '<>', 'DISABLED')
    .executeTakeFirst()
  if (!connection) throw notFound('Processor')
  const { instance_id } = connection
  const processor = await processors.get({ processor: connection.id, instance_id })
  // Its secrets cannot be decrypted, which the operator can repair.
  if (!processor) throw unavailable('The processor cannot be used')
  if (!parses(processor)) throw notFound('Processor')
  return { connection, processor }
}

type NoticeParser = Processor & Required<Pick<Processor, 'parseNotice'>>

function parses(processor: Processor): processor is NoticeParser {
  return processor.parseNotice !== undefined
}

async function parse(
  { log, realNow }: Deps,
  {
    connection,
    processor,
    body,
    headers,
  }: {
    connection: ProcessorConnectionRow
    processor: NoticeParser
    body: Uint8Array
    headers: Headers
  },
): Promise<ProcessorNotice> {
  try {
    return await processor.parseNotice(body, headers, realNow())
  } catch (error) {
    if (!(error instanceof NotAuthentic)) throw error
    log.warn({ err: error, processor: connection.id }, 'a notification was refused')
    throw new ApiError('INVALID_REQUEST', `The notification is not authentic: ${error.message}`, {
      recordedAs: { event: 'notice_refused' },
    })
  }
}

function unavailable(message: string): ApiError {
  return new ApiError('UNAVAILABLE', `${message}; try again later`, {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  })
}
