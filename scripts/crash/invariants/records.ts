import { countDifferences } from '../../../test/checkout-counts.ts'
import { WORDS } from '../clients/edit-link.ts'
import { MARK } from '../merchants.ts'
import { totalDifferences } from '../../../test/totals.ts'
import { answered, byId, type Evidence, type Invariant, recordOf, repeated } from './evidence.ts'

/** Records, wording and links: nothing that was acknowledged is lost. */

export const RECORDS: Invariant[] = [
  {
    id: 'I1',
    description: 'every write that was acknowledged can be read afterwards',
    findViolations: (evidence) => [...lostRecords(evidence), ...changedEnds(evidence)],
  },
  {
    id: 'I11',
    description: 'a session keeps the wording that it was opened with',
    findViolations(evidence) {
      const frozen = new Map(
        answered(evidence, 'open').map(({ json }) => [
          json.checkout.id,
          json.checkout.strings_hash,
        ]),
      )
      return answered(evidence, 'current')
        .filter(({ about, json }) => frozen.get(about?.['checkout']) !== json.checkout.strings_hash)
        .map(({ about }) => `${about?.['checkout']} was shown other words than it was opened with`)
    },
  },
  {
    id: 'I12',
    description: 'each accepted write of a record raises v by one, and none undoes another',
    findViolations(evidence) {
      const edits = evidence.calls.filter(({ op }) => op === 'link.edit')
      const links = byId(evidence.records.links)
      return [...Map.groupBy(edits, ({ about }) => about?.['link'] as string)].flatMap(
        ([id, own]) => {
          const succeeded = own.filter(({ status }) => status === 200)
          const { v = 0, state } = links.get(id) ?? {}
          const most = 1 + own.length
          if (v < 1 + succeeded.length || v > most) {
            return [
              `${id} is at ${v} after ${succeeded.length} of ${own.length} edits were answered`,
            ]
          }
          const twice = repeated(succeeded, (call) => String(recordOf(call).v))
          return [
            ...twice.map(([version]) => `${id} was answered twice at v ${version}`),
            ...lostMembers(id, own, JSON.parse(state ?? '{}')),
          ]
        },
      )
    },
  },
  {
    id: 'I22',
    description: 'the counts of sessions are those of the sessions',
    findViolations: ({ records }) => countDifferences(records),
  },
  {
    id: 'I28',
    description: 'the totals are the sums of the payments, refunds and reversals',
    findViolations: ({ records }) => totalDifferences(records),
  },
  {
    id: 'I23',
    description: 'a payment of a link has one receipt in the outbox, and no other payment has one',
    findViolations({ records: { links, mails } }) {
      const paid = links.filter(({ status }) => status === 'PAYMENT_SUCCESS')
      const owed = paid
        .filter(({ options }) => options.includes('receipt_email'))
        .map(({ payment_id }) => payment_id as string)
      const queued = mails.filter(({ kind }) => kind === 'RECEIPT').map(({ subject }) => subject)
      return [
        ...owed.filter((id) => !queued.includes(id)).map((id) => `${id} has no receipt`),
        ...queued.filter((id) => !owed.includes(id)).map((id) => `${id} has a receipt, unpaid`),
        ...repeated(queued, (id) => id).map(([id]) => `${id} has two receipts`),
      ]
    },
  },
  {
    id: 'I16',
    description: 'a link that was archived takes no payment that begins later',
    findViolations(evidence) {
      const closed = new Map(
        answered(evidence, 'link.archive', 204).map((call) => [
          call.about?.['link'],
          call.answered as number,
        ]),
      )
      const presses = evidence.calls.filter(({ op }) => op === 'submit')
      const first = new Map<string, number>()
      for (const { about, invoked } of presses) {
        const attempt = about?.['attempt'] as string
        first.set(attempt, Math.min(first.get(attempt) ?? Infinity, invoked))
      }
      return presses
        .filter(({ about, json }) => {
          const begun = first.get(about?.['attempt']) ?? 0
          const tooLate = begun > (closed.get(about?.['link']) ?? Infinity)
          return tooLate && ['COMPLETED', 'PENDING', 'ACTION'].includes(json?.outcome)
        })
        .map(({ about, json }) => `${about?.['link']} was archived, and then ${json.outcome}`)
    },
  },
  {
    id: 'I20',
    description: 'of a batch of wording each set is wholly there or wholly not',
    findViolations: brokenWording,
  },
]

function lostRecords(evidence: Evidence): string[] {
  const { payments, refunds, voids, links, deepLinks, accounts } = evidence.records
  const ids = new Set(
    [...payments, ...refunds, ...voids, ...links, ...deepLinks, ...accounts].map(({ id }) => id),
  )
  const creations = ['pay', 'capture', 'refund', 'void']
  creations.push('link.create', 'deep_link.create', 'account.create')
  const now = byId<{ id: string; archived: string | null }>([...links, ...deepLinks])
  return [
    ...creations
      .flatMap((op) => answered(evidence, op))
      .filter((call) => !ids.has(recordOf(call).id))
      .map((call) => `${call.op} was answered with ${recordOf(call).id}, which is gone`),
    ...answered(evidence, 'link.archive', 204)
      .filter(({ about }) => now.get(about?.['link'])?.archived === null)
      .map(({ about }) => `${about?.['link']} was archived and is not`),
  ]
}

const ENDS = new Set(['SUCCESS', 'DECLINE', 'DECLINED'])

/** A final outcome in a response must equal the stored one. */
function changedEnds(evidence: Evidence): string[] {
  const { payments, refunds, voids, links, checkouts } = evidence.records
  const status = new Map([...payments, ...refunds, ...voids].map((row) => [row.id, row.status]))
  const linkOf = new Map(checkouts.map((row) => [row.id, row.payment_link_id]))
  const paid = new Set(
    links.filter((row) => row.status === 'PAYMENT_SUCCESS').map(({ id }) => id as string | null),
  )
  const payers = answered(evidence, 'submit').filter(({ json }) => json.outcome === 'COMPLETED')
  return [
    ...['pay', 'capture', 'refund', 'void']
      .flatMap((op) => answered(evidence, op).map(recordOf))
      .filter(
        (record) =>
          ENDS.has(record.status) && ![record.status, 'VOIDED'].includes(status.get(record.id)),
      )
      .map(
        (record) =>
          `${record.id} was answered as ${record.status}, and is ${status.get(record.id)}`,
      ),
    ...payers
      .filter(({ about }) => !paid.has(linkOf.get(about?.['checkout']) ?? null))
      .map(({ about }) => `${about?.['link']} was paid for its payer, and is not`),
  ]
}

/** Each client writes rising values to its own member. The last confirmed one must remain. */
function lostMembers(
  id: string,
  edits: readonly Evidence['calls'][number][],
  state: Record<string, number>,
): string[] {
  return [...Map.groupBy(edits, ({ client }) => client)].flatMap(([client, own]) => {
    const values = own.map(({ about }) => about?.['value'] as number)
    const succeeded = own.filter(({ status }) => status === 200)
    const least = Math.max(0, ...succeeded.map(({ about }) => about?.['value'] as number))
    const found = state[client] ?? 0
    const isGood = found >= least && (found === 0 || values.includes(found))
    return isGood ? [] : [`${id} holds ${found} of ${client}, to whom ${least} was confirmed`]
  })
}

function brokenWording(evidence: Evidence): string[] {
  const saves = evidence.calls.filter(({ op }) => op === 'strings.save')
  return [...Map.groupBy(saves, ({ about }) => about?.['language'] as string)].flatMap(
    ([language, own]) => {
      const shop = own[0]?.shop === 'second' ? MARK.second : MARK.first
      const rows = evidence.records.strings.filter(
        (row) => row.language === language && row.text.endsWith(shop),
      )
      const texts = new Map(rows.map((row) => [row.id, Number(row.text.split(' ')[1])]))
      const succeeded = own.filter(({ status }) => status === 200)
      const least = Math.max(0, ...succeeded.map(({ about }) => about?.['generation'] as number))
      const most = Math.max(0, ...own.map(({ about }) => about?.['generation'] as number))
      const sets = Map.groupBy(WORDS, (id) => id.split('.')[0] as string)
      return [...sets].flatMap(([set, ids]) => {
        const found = new Set(ids.map((id) => texts.get(id) ?? 0))
        if (found.size > 1) return [`${language} ${set} is half of ${[...found].join(' and of ')}`]
        const generation = Math.max(...found)
        return generation < least || generation > most
          ? [`${language} ${set} is of ${generation}, and ${least} was answered`]
          : []
      })
    },
  )
}
