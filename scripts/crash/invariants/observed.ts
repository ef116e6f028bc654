import { Webhook } from 'standardwebhooks'
import type { Received } from '../../../test/webhook-receiver.ts'
import { answered, type Evidence, type Invariant, repeated } from './evidence.ts'

export const OBSERVED: Invariant[] = [
  {
    id: 'I9',
    description:
      'each event is delivered at least once, signed, and under one id however often it comes',
    findViolations({ settled, deliveries, records, ...evidence }) {
      const unsigned = deliveries.filter((one) => !isSigned(one, evidence.webhookSecrets))
      const renamed = deliveries.filter(({ headers, event }) => headers['webhook-id'] !== event.id)
      const changed = [...Map.groupBy(deliveries, ({ event }) => event.id)].filter(
        ([, own]) => new Set(own.map(({ body }) => body)).size > 1,
      )
      const taken = new Set([...evidence.taken].map(({ event }) => event.id))
      const listening = new Map(records.webhooks.map((row) => [row.instance_id, row.created]))
      // In the millisecond in which a webhook is made, it may be too early for it.
      const due = records.events.filter(
        ({ instance_id, created }) => created > (listening.get(instance_id) ?? '~'),
      )
      const unrecorded = outcomesWithoutEvent(records)
      const missed = settled ? due.filter(({ id }) => !taken.has(id)) : []
      return [
        ...unsigned.map(({ event }) => `${event.id} came with a signature that is not good`),
        ...renamed.map(({ headers, event }) => `${event.id} came as ${headers['webhook-id']}`),
        ...changed.map(([id]) => `${id} came again with another body`),
        ...unrecorded.map((what) => `${what} happened, and has no event`),
        ...missed.map(({ id, type }) => `${type} ${id} was never delivered`),
      ]
    },
  },
  {
    id: 'I10',
    description: 'no event is delivered of a change that was rolled back',
    findViolations({ deliveries, records }) {
      const events = new Map(records.events.map(({ id, data }) => [id, data]))
      return deliveries.flatMap(({ event: { id, type, data } }) => {
        const expected = events.get(id)
        if (expected === undefined) return [`${type} ${id} was delivered, and is not recorded`]
        return expected === JSON.stringify(data)
          ? []
          : [`${type} ${id} was delivered with other data than recorded`]
      })
    },
  },
  {
    id: 'I13',
    description: 'no event of one merchant is delivered to another',
    findViolations: ({ deliveries, records }) => {
      const shopOf = new Map(records.webhooks.map((row) => [row.instance_id, shopAt(row.url)]))
      const owner = new Map(records.events.map((row) => [row.id, shopOf.get(row.instance_id)]))
      return deliveries
        .filter((one) => owner.has(one.event.id) && owner.get(one.event.id) !== shopAt(one.path))
        .map(({ event, path }) => `${event.id} was delivered to ${shopAt(path)}`)
    },
  },
  {
    id: 'I14',
    description: 'no card number, key or token stands in the database, its log or the program’s',
    findViolations: ({ secrets, files }) =>
      files.flatMap(([name, content]) =>
        secrets
          .filter((secret) => content.includes(secret))
          .map((secret) => `${name} holds ${secret.slice(0, 8)}…`),
      ),
  },
  {
    id: 'I15',
    description: 'a code gives tokens once, and when it comes twice they are worth nothing',
    findViolations: brokenCodes,
  },
  {
    id: 'I19',
    description: 'the file passes SQLite’s own checks after every crash',
    findViolations: ({ records }) => records.damage,
  },
]

/** The shop whose receiver is at this address or path. */
const shopAt = (url: string) => url.split('/').at(-1) ?? ''

/**
 * Whether an independent library computes the same signature. It would compare the time with the
 * system's clock, and a server whose clock was moved is ahead of that.
 */
function isSigned({ path, headers, body }: Received, secrets: ReadonlyMap<string, string>) {
  const secret = secrets.get(shopAt(path))
  if (secret === undefined) return false
  const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', sent, body)
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}

/** The last part of the event type for a status. */
const EVENT_OF_STATUS: Record<string, string> = {
  SUCCESS: 'success',
  DECLINE: 'decline',
  DECLINED: 'declined',
}

/** Returns final operations, and created or paid links, without an event. */
function outcomesWithoutEvent({ events, payments, refunds, links }: Evidence['records']): string[] {
  const types = new Set(
    events.map(({ type, data }) => {
      const [record] = Object.values(JSON.parse(data) as Record<string, { id?: string }>)
      return `${type} ${record?.id}`
    }),
  )
  const ends = [
    ...payments.map(({ id, type, status }) => [
      type === 'CAPTURE' ? 'capture' : 'payment',
      EVENT_OF_STATUS[status],
      id,
    ]),
    ...refunds.map(({ id, status }) => ['refund', EVENT_OF_STATUS[status], id]),
    ...links.map(({ id }) => ['payment_link', 'created', id]),
    ...links
      .filter(({ status }) => status === 'PAYMENT_SUCCESS')
      .map(({ id }) => ['payment_link', 'payment_success', id]),
  ]
  return ends
    .filter(([, state]) => state !== undefined)
    .map(([kind, state, id]) => `${kind}.${state} ${id}`)
    .filter((what) => !types.has(what))
}

function brokenCodes(evidence: Evidence): string[] {
  const redeemed = repeated(answered(evidence, 'code.redeem'), ({ about }) => about?.['code'])
  const issued = repeated(evidence.records.tokens, ({ grant_id, kind }) => `${grant_id} ${kind}`)
  const refused = new Map(
    answered(evidence, 'code.redeem', 400).map((call) => [
      call.about?.['code'],
      call.answered as number,
    ]),
  )
  const used = answered(evidence, 'token.use').filter(
    ({ about, invoked }) => (refused.get(about?.['code']) ?? Infinity) < invoked,
  )
  return [
    ...redeemed.map(([, own]) => `a code gave tokens ${own.length} times`),
    ...issued.map(([grant, own]) => `${grant} was issued ${own.length} times`),
    ...used.map(() => 'a token is good although its code came twice'),
  ]
}
