import { describe, expect, it } from 'vitest'
import { openExample, type Thing } from '../../test/criteria/example-table.ts'

const NOTHING: Thing = {
  id: '',
  name: null,
  contract: null,
  status: null,
  owed: null,
  due: null,
  recurring: null,
  created: '',
}

const THINGS: Thing[] = [
  {
    ...NOTHING,
    id: 'a',
    name: 'Élodie',
    contract: 'co_1_aB',
    status: 'ACTIVE',
    owed: 10_0000,
    due: '2026-01-31T00:00:00.000Z',
    recurring: 1,
  },
  {
    ...NOTHING,
    id: 'b',
    name: 'élodie Straße',
    contract: 'co_1_ab',
    status: 'PAID',
    owed: 9_0000,
    due: '2026-01-31T23:59:59.999Z',
    recurring: 0,
  },
  { ...NOTHING, id: 'c' },
  {
    ...NOTHING,
    id: 'd',
    name: '',
    status: 'WRITTENOFF',
    owed: 0,
    due: '2026-02-01T00:00:00.000Z',
  },
  { ...NOTHING, id: 'e', name: '50%_\\ off, now; really', owed: 1_0005 },
  { ...NOTHING, id: 'f', name: 'ΟΔΟΣ ΣΟΦΟΥ', due: '0000-01-01T00:00:00.000Z' },
  { ...NOTHING, id: 'g', name: 'İzmir', due: '9999-12-31T23:59:59.999Z' },
  { ...NOTHING, id: 'h', name: "x' or '1'='1", status: 'ACTIVE' },
].map((thing, at) => ({ ...thing, created: `2026-03-0${at + 1}T00:00:00.000Z` }))

const example = await openExample()
await example.fill(THINGS)

describe('criteria match the same rows on both databases', () => {
  it.each([
    ['', 'abcdefgh'],
    // Text, without its case.
    ['name=ÉLODIE', 'a'],
    ['name=élodie', 'a'],
    ['name=élodie strasse', ''],
    ['name=ÉLODIE STRAẞE', 'b'],
    ['name=izmir', 'g'],
    ['name=IZMIR', 'g'],
    ['name=οδος σοφου', 'f'],
    ['name=élodie;izmir;nobody', 'ag'],
    ['name!=élodie', 'bcdefgh'],
    ['name!=élodie;izmir', 'bcdefh'],
    ['name~=ÉLODIE', 'ab'],
    ['name~=ΔΟΣ', 'f'],
    ['name~=Οσ', 'f'],
    ['name~=σο', 'f'],
    ['name~=%', 'e'],
    ['name~=_', 'e'],
    ['name~=%_', 'e'],
    ['name~=5_', ''],
    [String.raw`name~=\\`, 'e'],
    [String.raw`name~=_\\ `, 'e'],
    [String.raw`name~=off\, now\; r`, 'e'],
    // Null, which an empty text is too.
    ['name!', 'cd'],
    ['!name', 'cd'],
    ['name!!', 'abefgh'],
    ['due!', 'ceh'],
    ['!!due', 'abdfg'],
    ['contract!', 'cdefgh'],
    ['recurring!', 'cdefgh'],
    // Order between texts: é, σ and so on sort after z.
    ['name<z', 'egh'],
    ['name>=X', 'abfh'],
    ['name<>50;j', 'eg'],
    ['name<>j;50', ''],
    // Ids, in every letter.
    ['id=a;B', 'a'],
    ['contract=co_1_ab', 'b'],
    ['contract!=co_1_ab', 'acdefgh'],
    ['contract>co_1_aB', 'b'],
    ['contract~=CO_1', 'ab'],
    // Words.
    ['status=active', 'ah'],
    ['status=Active;paid', 'abh'],
    ['status!=ACTIVE', 'bcdefg'],
    ['status~=written', 'd'],
    ['status>active', 'bd'],
    // Numbers, not their digits.
    ['outstanding_amount>=10.00', 'a'],
    ['outstanding_amount>9', 'a'],
    ['outstanding_amount<10', 'bde'],
    ['outstanding_amount<=9.0000', 'bde'],
    ['outstanding_amount=9;10.000000', 'ab'],
    ['outstanding_amount!=9', 'acdefgh'],
    ['outstanding_amount<>0;1.0005', 'de'],
    ['outstanding_amount<>10;1', ''],
    ['outstanding_amount!!', 'abde'],
    // Dates: a day is all of its milliseconds.
    ['due=2026-01-31', 'ab'],
    ['due!=2026-01-31', 'cdefgh'],
    ['due=2026-01-31;2026-02-01T00:00:00Z', 'abd'],
    ['due=2026-01-31T00:00:00Z;2026-02-01T00:00:00Z', 'ad'],
    ['due!=2026-01-31;2026-02-01T00:00:00Z', 'cefgh'],
    ['due>=2026-01-31', 'abdg'],
    ['due>2026-01-31', 'dg'],
    ['due<=2026-01-31', 'abf'],
    ['due<2026-01-31', 'f'],
    ['due<>2026-01-31;2026-01-31', 'ab'],
    ['due<>2026-01-31;2026-02-01', 'abd'],
    ['due<>2026-02-01;2026-01-31', ''],
    ['due=2026-01-31T01:00:00+01:00', 'a'],
    ['due<=9999-12-31', 'abdfg'],
    ['due>9999-12-31', ''],
    ['due=0000-01-01', 'f'],
    // Yes and no, where false may be stored as null.
    ['recurring=Y', 'a'],
    ['recurring=y', 'a'],
    ['recurring!=Y', 'bcdefgh'],
    ['recurring=N', 'bcdefgh'],
    ['recurring!=n', 'a'],
    ['recurring=Y;N', 'abcdefgh'],
    ['recurring!=Y;N', ''],
    // All conditions together, also two for one field.
    ['due>=2026-01-31,due<2026-02-01,recurring=Y', 'a'],
    ['name!,name!!', ''],
    // What would be SQL elsewhere.
    ["name=x' or '1'='1", 'h'],
    ["name~=' or '", 'h'],
    [`id=a' or 1=1 --`, ''],
    ['id=a"); drop table things; --', ''],
    ['name~=$1', ''],
    ['name~=?', ''],
  ])('%s', async (criteria, ids) => {
    expect((await example.list({ criteria, order: 'id' })).join('')).toBe(ids)
  })

  it('accepts the longest pattern', async () => {
    expect(await example.list({ criteria: `name~=${'漢'.repeat(15_994)}` })).toEqual([])
    expect(await example.list({ criteria: `name~=${'%'.repeat(15_994)}` })).toEqual([])
  })

  it('accepts the largest number of conditions and values', async () => {
    const days = Array.from({ length: 151 }, (_, at) =>
      new Date(Date.UTC(2026, 0, 31 + at)).toISOString().slice(0, 10),
    )
    const criteria = [`due=${days.join(';')}`, ...Array(49).fill('name!=nobody')].join(',')
    expect(await example.list({ criteria, order: 'id' })).toEqual(['a', 'b', 'd'])
  })
})

describe('criteria that a field rejects', () => {
  it.each([
    ['nobody=1', 'Unknown criteria field nobody'],
    ['constructor=1', 'Unknown criteria field constructor'],
    ['__proto__!', 'Unknown criteria field __proto__'],
    ['NAME=x', 'Unknown criteria field NAME'],
    ['things.name=x', 'Unknown criteria field things.name'],
    ['due~=2026', 'criteria due does not take ~=, only = != >= > <= < <> ! !!'],
    ['outstanding_amount~=1', 'criteria outstanding_amount does not take ~='],
    ['recurring~=Y', 'criteria recurring does not take ~=, only = != ! !!'],
    ['recurring>N', 'criteria recurring does not take >'],
    ['recurring<>N;Y', 'criteria recurring does not take <>'],
    ['recurring=true', 'criteria recurring must be Y or N'],
    ['status=ACTVE', 'criteria status must be ACTIVE or PAID or WRITTENOFF'],
    ['status!=ACTIVE;x', 'criteria status must be'],
    ['outstanding_amount=-1', 'criteria outstanding_amount must be an amount such as 10.50'],
    [
      `outstanding_amount=1.${'0'.repeat(31)}`,
      'criteria outstanding_amount must be at most 32 characters',
    ],
    ['outstanding_amount=1e3', 'criteria outstanding_amount must be an amount'],
    ['outstanding_amount>1.00005', 'criteria outstanding_amount has more than 4 decimal places'],
    ['outstanding_amount>999999999999', 'criteria outstanding_amount is larger than any amount'],
    ['due=2026-02-30', 'criteria due must be a date such as'],
    ['due=2026-01-31T09:30:00', 'criteria due must be a date such as'],
    ['due=2026-01-31T09:30:00 01:00', 'a + in it must be sent as %2B'],
    ['due=2026-01-31;today', 'criteria due must be a date such as'],
    ['due<>2026-01-31;today', 'criteria due must be a date such as'],
  ])('%s', async (criteria, message) => {
    await expect(example.list({ criteria })).rejects.toThrow(message)
  })
})

describe('an order is the same on both databases', () => {
  it.each([
    [undefined, 'hgfedcba'],
    ['', 'hgfedcba'],
    ['id', 'abcdefgh'],
    ['id:desc', 'hgfedcba'],
    ['created', 'abcdefgh'],
    // Nulls last both ways, then by id in the direction of the last key.
    ['name', 'eghabfcd'],
    ['name:desc', 'fbahgedc'],
    ['due:asc', 'fabdgceh'],
    ['due:desc', 'gdbafhec'],
    ['outstanding_amount', 'debacfgh'],
    ['outstanding_amount:desc', 'abedhgfc'],
    ['recurring:desc', 'abhgfedc'],
    ['status,due:desc', 'ahbdgfec'],
    [' status:desc , id ', 'dbahcefg'],
  ])('%s', async (order, ids) => {
    expect((await example.list(order === undefined ? {} : { order })).join('')).toBe(ids)
  })

  it.each([
    ['nobody', 'Unknown order field nobody'],
    ['constructor', 'Unknown order field constructor'],
    ['due:down', 'order must be due, due:asc or due:desc'],
    ['due:DESC', 'order must be due, due:asc or due:desc'],
    ['due:', 'order must be due, due:asc or due:desc'],
    ['due:asc:desc', 'order must be due, due:asc or due:desc'],
    ['due,', 'order has a key without a field'],
    [':desc', 'order has a key without a field'],
    ['due,name,due:desc', 'order names due twice'],
    ['due desc', 'Unknown order field due desc'],
    ['due; drop table things', 'Unknown order field due; drop table things'],
  ])('%s is rejected', async (order, message) => {
    await expect(example.list({ order })).rejects.toThrow(message)
  })
})
