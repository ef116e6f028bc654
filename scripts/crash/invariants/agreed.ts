import { LARGE, LARGE_PAYEE } from '../merchants.ts'
import { byId, type Evidence, type Invariant } from './evidence.ts'

/** What merchants agreed with payers: uses of deep links, contracts, mails, and who is paid. */

type Records = Evidence['records']

export const AGREED: Invariant[] = [
  {
    id: 'I24',
    description: 'a deep link counts each use once, and is never used more often than allowed',
    findViolations: ({ records }) =>
      records.deepLinks.flatMap((row) => miscountedUses(records, row)),
  },
  {
    id: 'I25',
    description: 'each mail is sent until it is accepted, always under its own Message-ID',
    findViolations({ settled, records, mails }) {
      const idOf = (messageId = '') => /^<(ml_\w+)@checkstand\.test>$/.exec(messageId)?.[1] ?? ''
      const arrived = new Set(mails.map(({ messageId }) => idOf(messageId)))
      const queued = byId(records.mails)
      const hasArrived = ({ id }: { id: string }) => arrived.has(id)
      const sent = records.mails.filter(({ status }) => status === 'SENT')
      // A customer who has paid meanwhile is not told that a collection failed.
      const left = records.mails.filter(
        ({ status, error }) => status !== 'SENT' && error !== 'OBSOLETE',
      )
      return [
        ...mails
          .filter(({ messageId }) => !queued.has(idOf(messageId)))
          .map(({ messageId }) => `${messageId} was sent, and is not recorded`),
        ...sent.filter((mail) => !hasArrived(mail)).map(({ id }) => `${id} counts as sent`),
        ...(settled
          ? left.map(({ id, kind, error }) => `the ${kind} ${id} was not sent: ${error}`)
          : []),
      ]
    },
  },
  {
    id: 'I26',
    description: 'a contract has all of its charges, and begins when its first one is paid',
    findViolations: ({ records }) => records.contracts.flatMap((row) => brokenTerms(records, row)),
  },
  {
    id: 'I27',
    description:
      'a shop has one default legal entity, and what follows a payment belongs to the same',
    findViolations: ({ records }) => [...brokenDefaults(records), ...brokenPayees(records)],
  },
]

function miscountedUses(
  { links, setups, taskSessions }: Records,
  { id, action, uses, reserved_uses, max_uses }: Records['deepLinks'][number],
): string[] {
  const made = links.filter(({ deep_link_id: of }) => of === id)
  const sessions = new Set(
    taskSessions.filter(({ deep_link_id: of }) => of === id).map((session) => session.id),
  )
  const saved = setups.filter(({ session_id }) => sessions.has(session_id))
  const isPaid = action.startsWith('PAY')
  const done = isPaid
    ? made.filter(({ status }) => status === 'PAYMENT_SUCCESS')
    : saved.filter(({ status }) => status === 'SUCCESS')
  const held = isPaid
    ? made.filter(({ claim }) => claim !== null)
    : saved.filter(({ state, set_aside }) => state !== 'DONE' && set_aside === 0)
  return [
    ...(done.length === uses ? [] : [`${id} counts ${uses} uses, and there are ${done.length}`]),
    ...(held.length === reserved_uses
      ? []
      : [`${id} reserves ${reserved_uses} uses, and ${held.length} are under way`]),
    ...(uses + reserved_uses <= (max_uses ?? Infinity)
      ? []
      : [`${id} has ${uses} and ${reserved_uses} of ${max_uses} uses`]),
  ]
}

function brokenTerms(
  { charges, payments, links }: Records,
  { id, status, started, charges_total, charges_paid }: Records['contracts'][number],
): string[] {
  const own = charges.filter(({ contract_id: of }) => of === id)
  const first = own.find(({ contract_n: n }) => n === 1)
  const begun = payments.filter(
    ({ contract_id: of, charge_id }) => of === id && charge_id === first?.id,
  )
  const isPaid = begun.some((payment) => payment.status === 'SUCCESS' && payment.surplus === 0)
  const isDeclined =
    begun.length > 0 &&
    begun.every(({ status: end, surplus }) => end === 'DECLINE' || surplus === 1)
  const paid = own.filter((charge) => charge.status === 'PAID').length
  const paidLinks = links.filter((link) =>
    begun.some(({ id: payment }) => payment === link.payment_id),
  )
  return [
    ...(own.length === charges_total && first !== undefined
      ? []
      : [`${id} counts ${charges_total} charges, and there are ${own.length}`]),
    ...(paid === charges_paid ? [] : [`${id} counts ${charges_paid} as paid, and ${paid} are`]),
    ...(begun.length === 1 ? [] : [`${id} was begun ${begun.length} times`]),
    ...((started === 1) === isPaid ? [] : [`${id} has ${isPaid ? 'not ' : ''}begun`]),
    ...((status === 'CANCELLED') === isDeclined
      ? []
      : [`${id} is ${status}, and its first payment ${begun[0]?.status}`]),
    ...paidLinks
      .filter((link) => link.contract_id !== id)
      .map((link) => `${link.id} does not name its contract ${id}`),
  ]
}

function brokenDefaults({ entities }: Records): string[] {
  const shops = Map.groupBy(entities, (row) => row.instance_id)
  return [...shops].flatMap(([shop, own]) => {
    const defaults = own.filter(({ is_default }) => is_default === 1).length
    return defaults === 1 ? [] : [`${shop} has ${defaults} default legal entities`]
  })
}

function brokenPayees({ payments, refunds, parts, charges, entities }: Records): string[] {
  const byPayment = byId(payments)
  const byCharge = byId(charges)
  const routed = new Set(
    entities.filter((row) => row.legal_name === LARGE_PAYEE).map(({ id }) => id as string | null),
  )
  const follows = (
    row: { id: string; legal_entity_id: string | null },
    of: { legal_entity_id: string | null } | undefined,
  ) =>
    row.legal_entity_id === of?.legal_entity_id
      ? []
      : [`${row.id} belongs to ${row.legal_entity_id}, and its payment to ${of?.legal_entity_id}`]
  return [
    ...payments
      .filter(({ legal_entity_id: payee }) => payee === null)
      .map(({ id }) => `${id} belongs to no legal entity`),
    ...payments
      .filter(({ type, amount }) => type !== 'CAPTURE' && amount >= LARGE)
      .filter(({ legal_entity_id: payee }) => !routed.has(payee))
      .map(({ id }) => `${id} belongs to another legal entity than its route`),
    ...payments
      .filter(({ type }) => type === 'CAPTURE')
      .flatMap((capture) => follows(capture, byPayment.get(capture.authorisation_id ?? ''))),
    ...refunds.flatMap((refund) => follows(refund, byPayment.get(refund.refunded_id))),
    ...parts.flatMap(({ charge_id, payment_id }) => {
      const [charge, payment] = [byCharge.get(charge_id), byPayment.get(payment_id)]
      return charge && payment ? follows(charge, payment) : []
    }),
  ]
}
