import { type CompiledQuery, sql } from 'kysely'
import { expect, it } from 'vitest'
import { submitCheckout } from '../server/checkouts/submit.ts'
import { openCheckout } from '../server/checkouts/open-session.ts'
import { resumeCheckout } from '../server/checkouts/session.ts'
import { JOBS } from '../server/jobs/scheduler.ts'
import { createLink } from '../server/payment-links/create.ts'
import { getLinkWithHistory } from '../server/payment-links/queries.ts'
import { startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { cardToken } from './payer-client.ts'
import { planOf, recordStatements } from './statement-recorder.ts'

/**
 * What a payment costs must not grow with what its instance has sold. Tried on both connections,
 * since each plans by what it has itself read about the rows.
 */

const app = await startTestApp()
const { deps } = app.checkstand
const { instance } = app.merchant

it('a whole payment finds everything by an index of its own', async () => {
  const recorded = recordStatements(deps)
  const watched = { ...deps, db: recorded.db }
  const options = { amount: '12.00', currency: 'EUR', name: 'Tea', alt_key: 'order-1' }
  // The wording is read once, and not for each payment.
  const before = await createLink(watched, instance, { options })
  await openCheckout(watched, { paymentLink: before.id }, {}, {})
  recorded.take()

  const link = await createLink(watched, instance, { options })
  const { token, checkout } = await openCheckout(watched, { paymentLink: link.id }, {}, {})
  const opened = await resumeCheckout(watched, `Bearer ${token}`)
  const response = await submitCheckout(
    watched,
    opened,
    {
      attempt_key: crypto.randomUUID(),
      options_v: checkout.options_v,
      payment_method: {
        type: 'CARD',
        processor: 'sandbox',
        token: await cardToken(app, CARDS.approve),
      },
    },
    { ip: '203.0.113.7', userAgent: undefined },
  )
  expect(response.outcome).toBe('COMPLETED')
  await getLinkWithHistory(recorded.db, instance.id, link.id)

  expect(await expectIndexes(recorded.take())).toBeGreaterThan(20)
})

it('what the server looks for every second is found by an index, however much is sold', async () => {
  const recorded = recordStatements(deps)
  const often = JOBS.filter(({ intervalMs }) => intervalMs <= 1000)
  for (const { run } of often) await run({ ...deps, db: recorded.db })
  expect(await expectIndexes(recorded.take())).toBeGreaterThanOrEqual(often.length)
})

/** Returns the number of different statements. */
async function expectIndexes(ran: CompiledQuery[]): Promise<number> {
  const statements = new Map(ran.map((query) => [query.sql, query]))
  const { rows: partial } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'index' and sql like '% where %'
  `.execute(deps.db)
  for (const query of statements.values()) {
    if (!/^(select|update|insert|delete)/.test(query.sql)) continue
    const asReader = await planOf(deps.db, 'sqlite', query)
    const asWriter = await deps.db.transaction().execute(async (tx) => planOf(tx, 'sqlite', query))
    for (const step of [...asReader, ...asWriter]) {
      // Of instances a server has some, of endpoints an instance a handful; a queue is emptied.
      if (/webhook_endpoints|^SCAN (instances|insight_|\d+-ROW VALUES)/.test(step)) continue
      // An index of just what is due may be walked through.
      if (partial.some(({ name }) => step.endsWith(`INDEX ${name}`))) continue
      expect(step, query.sql).not.toMatch(/\(instance_id=\?\)|^SCAN/)
    }
  }
  return statements.size
}
