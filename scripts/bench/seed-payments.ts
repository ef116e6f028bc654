import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../server/db/tables.ts'
import type { Checkstand } from '../../server/index.ts'
import { fileWords } from '../../server/insights/file-words.ts'
import { CARDS } from '../../test/cards.ts'
import { createCaller, merchantApi } from '../../test/client.ts'
import { PROGRAM_KEY } from '../../test/program.ts'
import { cardToken } from '../../test/payer-client.ts'

/** A year, of which each payment takes its part. */
const YEAR_MS = 365 * 86_400_000
const QUARTER_MS = 900_000
const SAMPLE = 50
/** Statements are bounded in time. */
const CHUNK = 50_000

type Text = RawBuilder<string>

/**
 * Gives an instance so many paid payments of the last year, as copies of one that the product has made, with
 * references and amounts of their own, and with what searches and totals read.
 */
export async function fillPayments(
  checkstand: Checkstand,
  instanceId: string,
  count: number,
): Promise<void> {
  const model = await makeModel(checkstand)
  const began = Date.now() - YEAR_MS
  const step = Math.floor(YEAR_MS / count)
  for (let first = 1; first <= count; first += CHUNK) {
    const last = Math.min(count, first + CHUNK - 1)
    await copyPayments(checkstand, { instanceId, model, began, step, first, last })
  }
}

interface Copies {
  instanceId: string
  model: Readonly<Record<string, unknown>>
  /** When the first one was made, and how long after it each next one, in milliseconds. */
  began: number
  step: number
  first: number
  last: number
}

async function copyPayments(
  { deps: { db }, database }: Checkstand,
  { instanceId, model, began, step, first, last }: Copies,
): Promise<void> {
  const isSqlite = database.kind === 'sqlite'

  const text = (value: RawBuilder<unknown>): Text => sql`cast(${value} as text)`
  const padded = (value: RawBuilder<unknown>, width: number): Text =>
    isSqlite
      ? sql`printf(${sql.lit(`%0${width}d`)}, ${value})`
      : sql`lpad(cast(${value} as text), ${sql.lit(width)}, '0')`
  const n = sql`numbers.n`
  const ms = sql`(${sql.lit(began)} + ${n} * ${sql.lit(step)})`
  const id: Text = sql`'pay_' || ${text(ms)} || '_' || ${padded(n, 16)}`
  const at: Text = isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`
    : sql`to_char(to_timestamp(${ms} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const amount = sql`(100 + ${n} * 37 % 9900)`
  const units = text(sql`${amount} / 100`)
  const cents = padded(sql`${amount} % 100`, 2)
  const numbers = isSqlite
    ? sql`(with recursive counted (n) as (
        select ${sql.lit(first)} union all select n + 1 from counted where n < ${sql.lit(last)}
      ) select n from counted) as numbers`
    : sql`(select cast(n as bigint) as n from generate_series(${sql.lit(first)}, ${sql.lit(last)}) as n) as numbers`

  const own: Readonly<Record<string, RawBuilder<unknown>>> = {
    id,
    amount,
    created: at,
    updated: at,
    processed: at,
    captured_amount: sql`model.captured_amount`,
    alt_key: sql`'order-' || ${padded(n, 7)}`,
    reference: sql`'ref' || ${text(n)}`,
    gateway_reference: sql`'gw' || ${text(n)}`,
  }
  const columns = Object.keys(model)
  const values = columns.map((name) => own[name] ?? sql`model.${sql.id(name)}`)
  await sql`insert into payments (${sql.join(columns.map((name) => sql.id(name)))})
    select ${sql.join(values)}
    from ${numbers}, (select * from payments where id = ${String(model['id'])}) as model`.execute(
    db,
  )

  const words: readonly Text[] = [
    sql`'order-' || ${padded(n, 7)}`,
    sql`'order'`,
    padded(n, 7),
    sql`'ref' || ${text(n)}`,
    sql`'gw' || ${text(n)}`,
    sql`${units} || '.' || ${cents}`,
    units,
    cents,
  ]
  for (const word of words) {
    await sql`insert into search_words (instance_id, kind, word, record_id)
      select ${instanceId}, 'payment', ${word}, ${id} from ${numbers} where true
      on conflict do nothing`.execute(db)
  }
  await sql`insert into totals (instance_id, slot, currency, kind, n, amount)
    select ${instanceId}, slot, 'EUR', 'payment', count(*), sum(amount)
    from (select ${ms} / ${sql.lit(QUARTER_MS)} as slot, ${amount} as amount from ${numbers}) as paid
    where true group by slot
    on conflict (instance_id, slot, currency, kind)
    do update set n = totals.n + excluded.n, amount = totals.amount + excluded.amount`.execute(db)
}

/** Takes one payment as every merchant's program does. Returns its row. */
async function makeModel(checkstand: Checkstand): Promise<Record<string, unknown>> {
  const call = createCaller(checkstand)
  const api = merchantApi(call, { instance: { key: 'default' }, secretKey: PROGRAM_KEY })
  const token = await cardToken({ call }, CARDS.approve)
  const payment = { amount: '24.00', currency: 'EUR', alt_key: 'model', payment_method: { token } }
  const { status, text } = await api('/payments', { body: { payment } })
  if (status !== 200) throw new Error(`The payment answered ${text}`)
  return checkstand.deps.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
}

/** Returns whether the product files some of the payments by the words that they have. */
export async function isFiledAlike(tx: Tx, instanceId: string): Promise<boolean> {
  const rows = await tx
    .selectFrom('payments')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('alt_key', 'like', 'order-%')
    .limit(SAMPLE)
    .execute()
  const ids = rows.map(({ id }) => id)
  const read = async () =>
    JSON.stringify(
      await tx
        .selectFrom('search_words')
        .select(['record_id', 'word'])
        .where('record_id', 'in', ids)
        .orderBy('record_id')
        .orderBy('word')
        .execute(),
    )
  const before = await read()
  await fileWords(tx, 'payments', ids)
  return ids.length === SAMPLE && before === (await read())
}
