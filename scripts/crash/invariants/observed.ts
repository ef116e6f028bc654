import { answered, type Evidence, type Invariant, repeated } from './evidence.ts'

/** What leaves the server: webhooks, tokens, secrets; and the file itself. */

export const OBSERVED: Invariant[] = [
  {
    id: 'I9',
    description:
      'each event is delivered at least once, signed, and under one id however often it comes',
    findViolations({ settled, heard, records }) {
      const unsigned = heard.filter(({ signed }) => !signed)
      const renamed = heard.filter(({ webhookId, eventId }) => webhookId !== eventId)
      const changed = [...Map.groupBy(heard, ({ eventId }) => eventId)].filter(
        ([, own]) => new Set(own.map(({ hash }) => hash)).size > 1,
      )
      const taken = new Set(heard.filter((one) => one.taken).map(({ eventId }) => eventId))
      const listening = new Map(records.webhooks.map((row) => [row.instance_id, row.created]))
      // In the millisecond in which a webhook is made, it may be too early for it.
      const due = records.events.filter(
        ({ instance_id, created }) => created > (listening.get(instance_id) ?? '~'),
      )
      const untold = untoldOf(records)
      const missed = settled ? due.filter(({ id }) => !taken.has(id)) : []
      return [
        ...unsigned.map(({ eventId }) => `${eventId} came with a signature that is not good`),
        ...renamed.map(({ eventId, webhookId }) => `${eventId} came as ${webhookId}`),
        ...changed.map(([id]) => `${id} came again with another body`),
        ...untold.map((what) => `${what} happened, and no event says so`),
        ...missed.map(({ id, type }) => `${type} ${id} was never delivered`),
      ]
    },
  },
  {
    id: 'I10',
    description: 'nobody hears of what was undone',
    findViolations({ heard, records }) {
      const events = new Map(records.events.map(({ id, data }) => [id, data]))
      return heard.flatMap(({ eventId, type, data }) => {
        const expected = events.get(eventId)
        if (expected === undefined) return [`${type} ${eventId} was heard of, and never happened`]
        return expected === data ? [] : [`${type} ${eventId} was told otherwise than it happened`]
      })
    },
  },
  {
    id: 'I13',
    description: 'nothing of one merchant is ever told to another',
    findViolations: ({ heard, records }) => {
      const shopOf = new Map(
        records.webhooks.map((row) => [row.instance_id, row.url.split('/').at(-1)]),
      )
      const owner = new Map(records.events.map((row) => [row.id, shopOf.get(row.instance_id)]))
      return heard
        .filter(({ eventId, shop }) => owner.has(eventId) && owner.get(eventId) !== shop)
        .map(({ eventId, shop }) => `${eventId} was told to ${shop}`)
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

/** How what became of a record is told: by its kind and its state, as the type of an event. */
const TOLD: Record<string, string> = {
  SUCCESS: 'success',
  DECLINE: 'decline',
  DECLINED: 'declined',
}

/** Ends of operations, and links that were made or paid, of which no event was recorded. */
function untoldOf({ events, payments, refunds, links }: Evidence['records']): string[] {
  const types = new Set(
    events.map(({ type, data }) => {
      const [record] = Object.values(JSON.parse(data) as Record<string, { id?: string }>)
      return `${type} ${record?.id}`
    }),
  )
  const ends = [
    ...payments.map(({ id, type, status }) => [
      type === 'CAPTURE' ? 'capture' : 'payment',
      TOLD[status],
      id,
    ]),
    ...refunds.map(({ id, status }) => ['refund', TOLD[status], id]),
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
