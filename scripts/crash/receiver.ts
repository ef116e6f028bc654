import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Random } from '../../test/random.ts'

/** The webhook receiver of a crash run. It accepts most deliveries, and lists all. */

export interface ReceivedDelivery {
  shop: string
  /** As the header has it, and as the body has it. */
  webhookId: string
  eventId: string
  type: string
  /** JSON of the record. */
  data: string
  /** SHA-256 of the body. */
  hash: string
  /** Whether an independent library believes the signature. */
  signed: boolean
  /** Whether the response was 204, after which it need not be repeated. */
  taken: boolean
}

export interface Receiver {
  deliveries: ReceivedDelivery[]
  url: (shop: string) => string
  /** The secret that a shop's deliveries are signed with. */
  trust: (shop: string, secret: string) => void
  /** From here on everything is taken. */
  behave: () => void
  close: () => void
}

/** `sulks` is the share of deliveries that it answers with 500. */
export async function startReceiver(from: { random: Random; sulks: number }): Promise<Receiver> {
  let { sulks } = from
  const deliveries: ReceivedDelivery[] = []
  const secrets = new Map<string, string>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const shop = request.url?.slice(1) ?? ''
      const headers = request.headers as Record<string, string>
      const { event } = JSON.parse(body)
      const taken = !from.random.chance(sulks)
      deliveries.push({
        shop,
        webhookId: headers['webhook-id'] ?? '',
        eventId: event.id,
        type: event.type,
        data: JSON.stringify(event.data),
        hash: createHash('sha256').update(body).digest('hex'),
        signed: isSigned(secrets.get(shop), body, headers),
        taken,
      })
      response.writeHead(taken ? 204 : 500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    deliveries,
    url: (shop) => `http://127.0.0.1:${port}/${shop}`,
    trust: (shop, secret) => secrets.set(shop, secret),
    behave: () => (sulks = 0),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The library compares with the system's clock; a server whose clock was moved is ahead of it. */
function isSigned(secret: string | undefined, body: string, headers: Record<string, string>) {
  if (secret === undefined) return false
  const sent = Number(headers['webhook-timestamp']) * 1000
  const webhook = new Webhook(secret)
  const expected = webhook.sign(headers['webhook-id'] ?? '', new Date(sent), body)
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}
