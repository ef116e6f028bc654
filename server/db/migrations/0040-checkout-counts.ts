import { type Kysely, type RawBuilder, sql, SqliteAdapter } from 'kysely'

/** Counts of sessions by the time of their opening, which outlive the sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const sqlite = db.getExecutor().adapter instanceof SqliteAdapter
  if (!sqlite) await sql`set local statement_timeout = 0`.execute(db)
  for (const column of ['channel', 'method_type', 'processor']) {
    await db.schema.alterTable('checkouts').addColumn(column, 'text').execute()
  }
  await db.schema
    .alterTable('checkouts')
    .addColumn('declined', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('attempts').addColumn('decline_code', 'text').execute()
  await createCounts(db)
  await describeSessions(db, sqlite)
  await countSessions(db, sqlite)
}

const KEY = [
  'currency',
  'language',
  'branding',
  'channel',
  'method',
  'processor',
  'deep_link',
  'detail',
]

const COUNTS = [
  'opened',
  'details_done',
  'method_chosen',
  'submitted',
  'challenged',
  'completed',
  'pending',
  'declined',
  'abandoned',
  'expired',
  'amount',
  'occurrences',
]

async function createCounts(db: Kysely<unknown>): Promise<void> {
  const columns = (name: string) => {
    let table = db.schema
      .createTable(name)
      .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id'))
      .addColumn('slot', 'integer', (c) => c.notNull())
    for (const key of KEY) table = table.addColumn(key, 'text', (c) => c.notNull())
    for (const count of COUNTS) table = table.addColumn(count, 'bigint', (c) => c.notNull())
    return table
  }
  await columns('checkout_counts')
    .addPrimaryKeyConstraint('checkout_counts_pkey', ['instance_id', 'slot', ...KEY] as never)
    .execute()
  await columns('checkout_count_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .execute()
  // Slots that are still to be merged into quarters of an hour.
  await db.schema
    .createIndex('checkout_counts_fine')
    .on('checkout_counts')
    .column('slot')
    .where(sql<boolean>`slot % 3 <> 0`)
    .execute()
  // What waits for a processor.
  await db.schema
    .createIndex('checkouts_in_payment')
    .on('checkouts')
    .columns(['instance_id', 'updated'])
    .where(sql<boolean>`status in ('SUBMITTED', 'PENDING')`)
    .execute()
  await db.schema
    .createIndex('payments_unresolved')
    .on('payments')
    .columns(['instance_id', 'created'])
    .where(sql<boolean>`status = 'UNRESOLVED'`)
    .execute()
}

/** Fills the new columns. A message stands for several codes; the commonest is taken. */
async function describeSessions(db: Kysely<unknown>, sqlite: boolean): Promise<void> {
  const declined = sql`attempts.state = 'DONE' and exists (select 1 from payments
    where payments.id = attempts.payment_id and payments.status = 'DECLINE')`
  await sql`update attempts set decline_code = case message_id
      when 'errors.insufficient_funds' then 'INSUFFICIENT_FUNDS'
      when 'errors.expired_card' then 'EXPIRED_CARD'
      when 'errors.authentication_failed' then 'AUTHENTICATION_FAILED'
      when 'errors.cancelled' then 'CANCELLED'
      when 'errors.processor_error' then 'ERROR'
      else 'DECLINED' end
    where checkout_id is not null and ${declined}`.execute(db)
  const channel = sqlite
    ? sql`json_extract(options, '$.channel')`
    : sql`options::json ->> 'channel'`
  const ofAttempt = (column: string) => sql`(select attempts.${sql.ref(column)} from attempts
    inner join payments on payments.id = attempts.payment_id
    where attempts.checkout_id = checkouts.id
    order by case when payments.status in ('SUCCESS', 'VOIDED') then 0 else 1 end,
      attempts.created desc, attempts.id desc limit 1)`
  await sql`update checkouts set
    channel = (select ${channel} from payment_links
      where payment_links.id = checkouts.payment_link_id),
    method_type = ${ofAttempt('method_type')},
    processor = ${ofAttempt('processor')},
    declined = case when exists (select 1 from attempts
      where attempts.checkout_id = checkouts.id and decline_code is not null) then 1 else 0 end`.execute(
    db,
  )
}

/** Whole seconds from the opening to the payment at which a bucket of the histogram begins. */
const PAY_TIMES = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26, 31, 37, 44, 52, 62, 74, 88, 105, 126,
  151, 181, 217, 260, 312, 374, 448, 537, 644, 772, 926, 1111, 1333, 1599, 1918, 2301, 2761, 3313,
  3975, 4770, 5724, 6868, 8241, 9889, 11866, 14239, 17086, 20503, 24603, 29523, 35427, 42512, 51014,
  61216, 73459, 88150, 105780, 126936, 152323, 182787, 219344, 263212, 315854, 379024, 454828,
  545793, 654951, 785941, 943129, 1131754, 1358104, 1629724, 1955668, 2346801, 2816161, 3379393,
  4055271, 4866325, 5839590, 7007508, 8409009,
]

async function countSessions(db: Kysely<unknown>, sqlite: boolean): Promise<void> {
  // By quarters of an hour, three slots.
  const slot = sqlite
    ? sql`unixepoch(checkouts.created) / 900 * 3`
    : sql`floor(extract(epoch from checkouts.created::timestamptz) / 900)::integer * 3`
  const milestone = (name: string) =>
    sqlite
      ? sql`json_extract(milestones, ${sql.lit(`$.${name}`)})`
      : sql`milestones::json ->> ${sql.lit(name)}`
  const sum = (condition: RawBuilder<unknown>) => sql`sum(case when ${condition} then 1 else 0 end)`
  const has = (name: string) => sum(sql`${milestone(name)} is not null`)
  const is = (status: string) => sum(sql`checkouts.status = ${sql.lit(status)}`)
  const text = (column: string) => sql`coalesce(${sql.ref(column)}, '')`
  const none = sql.join(COUNTS.slice(0, -1).map(() => sql`0`))
  const names = sql.join(['instance_id', 'slot', ...KEY, ...COUNTS].map((name) => sql.ref(name)))
  const session = sql`checkouts.instance_id, ${slot}, ${text('checkouts.currency')},
    checkouts.language, ${text('branding')}, ${text('channel')}`
  const used = sql`${text('checkouts.method_type')}, ${text('checkouts.processor')}, ''`
  const keys = (count: number) =>
    sql.raw(Array.from({ length: count }, (_, index) => index + 1).join())

  await sql`insert into checkout_counts (${names})
    select ${session}, ${used}, '', count(*), ${has('details_done')}, ${has('method_chosen')},
      ${has('submitted')}, ${has('challenged')}, ${is('COMPLETED')}, ${is('PENDING')},
      sum(declined), ${is('ABANDONED')}, ${is('EXPIRED')},
      sum(case when status = 'COMPLETED' then coalesce(amount, 0) else 0 end), 0
    from checkouts group by ${keys(10)}`.execute(db)

  const seconds = sqlite
    ? sql`cast(round((unixepoch(${milestone('completed')}, 'subsec')
        - unixepoch(created, 'subsec')) * 1000) as integer) / 1000`
    : sql`extract(epoch from (${milestone('completed')})::timestamptz - created::timestamptz)`
  const buckets = PAY_TIMES.toReversed().map(
    (bound) => sql`when ${seconds} >= ${sql.lit(bound)} then ${sql.lit(`paid:${bound}`)}`,
  )
  await sql`insert into checkout_counts (${names})
    select ${session}, ${used}, case ${sql.join(buckets, sql` `)} else 'paid:0' end, ${none}, count(*)
    from checkouts where status = 'COMPLETED' and ${milestone('completed')} is not null
    group by ${keys(10)}`.execute(db)

  await sql`insert into checkout_counts (${names})
    select ${session}, ${text('attempts.method_type')}, attempts.processor, '',
      'decline:' || attempts.decline_code, ${none}, count(*)
    from attempts inner join checkouts on checkouts.id = attempts.checkout_id
    where attempts.decline_code is not null
    group by ${keys(10)}`.execute(db)
}
