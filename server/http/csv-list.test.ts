import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { testCharges } from '../../test/charges.ts'
import { csvText } from './csv-list.ts'

const app = await startTestApp()

const readCsv = async (merchant: Merchant, path: string) => {
  const answer = await merchant.api(path, { headers: { accept: 'text/csv' } })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
  return parse(answer.text, { bom: true, columns: true }) as Record<string, string>[]
}

const newCharge = async (merchant: Merchant, amount: number, currency: string, altKey: string) => {
  const account = await merchant.api('/accounts', {
    body: { account: { crm_key: altKey, company: 'Zoë, "A;B"' } },
  })
  const accountId: string = account.json.account.id
  await testCharges(app, merchant).newCharge({ amount, currency, altKey, accountId })
}

describe('a list as CSV', () => {
  it('has the rows and order of the list, all members, and amounts as decimals', async () => {
    const merchant = await app.newMerchant()
    for (let i = 0; i < 3; i += 1) {
      app.pass(60_000)
      await newCharge(merchant, i * 100 + 50, 'EUR', `key-${i}`)
    }
    await newCharge(merchant, 700, 'JPY', 'yen')
    const query = 'criteria=currency=EUR&order=created'
    const { charges } = (await merchant.api(`/charges?${query}`)).json
    const rows = await readCsv(merchant, `/charges?${query}`)
    expect(rows.map(({ id }) => id)).toEqual(charges.map(({ id }: { id: string }) => id))
    expect(rows.map(({ amount }) => amount)).toEqual(['0.50', '1.50', '2.50'])
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(charges[0]))
    expect(rows[0]?.['created']).toBe(charges[0].created)
  })

  it('has the columns that were asked for, expanded, and times of a time zone', async () => {
    const merchant = await app.newMerchant()
    await newCharge(merchant, 500, 'EUR', 'one')
    const [row] = await readCsv(
      merchant,
      '/charges?columns=created,account.company,alt_key&expand=account&timezone=Asia/Kathmandu',
    )
    expect(Object.entries(row ?? {})).toEqual([
      ['created', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)],
      ['account.company', 'Zoë, "A;B"'],
      ['alt_key', 'one'],
    ])
  })

  it('has all rows of a list that is longer than what is read at once', async () => {
    const merchant = await app.newMerchant()
    const ids = []
    for (let i = 0; i < 505; i += 1) {
      app.pass(1)
      ids.push(
        (await merchant.api('/accounts', { body: { account: { crm_key: `c${i}` } } })).json.account
          .id,
      )
    }
    const rows = await readCsv(merchant, '/accounts?order=created&columns=id')
    expect(rows.map(({ id }) => id)).toEqual(ids)
  }, 60_000)

  it('is refused with what does not apply, and a column or zone that does not exist', async () => {
    const refusal = async (path: string, accept = 'text/csv') =>
      (await app.merchant.api(path, { headers: { accept } })).json.error.message
    expect(await refusal('/accounts?columns=id,nome')).toBe('columns has the unknown column nome')
    expect(await refusal('/accounts?timezone=Mars')).toBe(
      'timezone must be a time zone such as Europe/Paris',
    )
    expect(await refusal('/accounts?limit=5')).toBe('limit does not apply to CSV')
    expect(await refusal('/accounts?columns=id', '*/*')).toBe(
      'columns applies to CSV only: send Accept: text/csv',
    )
    expect(await refusal('/accounts?criteria=none=1')).toContain('none')
    expect(await refusal('/accounts?expand=none')).toContain('none')
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-cmd', "'-cmd"],
    ['\t=1', "'\t=1"],
    ['＝1', "'＝1"],
    ['-12.50', '-12.50'],
    ['12.50', '12.50'],
    ['', ''],
    [null, ''],
    [true, 'true'],
    [{ a: 1 }, '{"a":1}'],
    ['2030-05-01T12:00:00.000Z', '2030-05-01 17:45:00'],
  ])('writes %j as %j', (value, written) => {
    expect(csvText('Asia/Kathmandu')(value)).toBe(written)
  })
})

describe('the sums of a list', () => {
  it('are those of all matches by currency, whatever page is read', async () => {
    const merchant = await app.newMerchant()
    await newCharge(merchant, 120, 'EUR', 'a')
    await newCharge(merchant, 230, 'EUR', 'b')
    await newCharge(merchant, 700, 'JPY', 'c')
    const sums = async (query: string) =>
      (await merchant.api(`/charges?sum=amount${query}`)).json.meta.sums
    const eur = { currency: 'EUR', count: 2, amount: '3.50' }
    const jpy = { currency: 'JPY', count: 1, amount: '700' }
    expect(await sums('')).toEqual([eur, jpy])
    expect(await sums('&limit=1')).toEqual([eur, jpy])
    expect(await sums('&criteria=currency=JPY')).toEqual([jpy])
    expect(await sums('&criteria=currency=USD')).toEqual([])
    for (const list of ['payments', 'refunds']) {
      expect((await merchant.api(`/${list}?sum=amount`)).json.meta.sums).toEqual([])
    }
    expect((await merchant.api('/charges')).json.meta).not.toHaveProperty('sums')
    expect((await merchant.api('/accounts?sum=amount')).status).toBe(400)
  })
})
