import { describe, expect, it } from 'vitest'
import {
  createExpander,
  type ExpandGraph,
  type LoadMany,
  readExpand,
  readExpanded,
} from './expand.ts'
import { ApiError } from '../errors.ts'

/** A small world: leaves, branches that lead to leaves, and trees with a list of branches. */
const STORED: Record<string, Record<string, object>> = {
  leaf: { l1: { id: 'l1' }, l2: { id: 'l2' } },
  branch: {
    b1: { id: 'b1', leaf: 'l1' },
    b2: { id: 'b2', leaf: null },
    b3: { id: 'b3', leaf: 'l1' },
  },
}

function world(stored = STORED) {
  const loads: { kind: string; instanceId: string; ids: readonly string[] }[] = []
  const loader =
    (kind: string): LoadMany =>
    async (_from, instanceId, ids) => {
      loads.push({ kind, instanceId, ids })
      const existing = ids.filter((id) => Object.hasOwn(stored[kind] ?? {}, id))
      return new Map(existing.map((id) => [id, stored[kind]?.[id] as object]))
    }
  const graph: ExpandGraph = {
    leaf: { load: loader('leaf'), members: {} },
    branch: { load: loader('branch'), members: { leaf: 'leaf' } },
    tree: {
      members: {
        main: 'branch',
        leaf: 'leaf',
        parts: { kind: 'branch', inEach: 'branch' },
      },
    },
    deep: { load: loader('deep'), members: { deeper: 'deep' } },
  }
  const expander = createExpander({ db: undefined as never, now: () => 0, baseUrl: '' }, graph)
  const expand = (text: string | undefined, records: readonly object[], kind = 'tree') =>
    expander({ kind, instanceId: 'ins', expand: text }, records)
  return { graph, loads, expand, expander }
}

const TREE = {
  id: 't',
  main: 'b1',
  leaf: 'l2',
  parts: [
    { branch: 'b2', amount: '1' },
    { branch: 'b3', amount: '2' },
  ],
}

describe('expanding', () => {
  it('replaces an id by the record and leaves every other member as it is', async () => {
    expect(await world().expand('main', [TREE])).toEqual([
      { ...TREE, main: STORED['branch']?.['b1'] },
    ])
  })

  it.each([[undefined], [''], [' '], [',']])('changes and loads nothing for %j', async (text) => {
    const { expand, loads } = world()
    expect(await expand(text, [TREE])).toEqual([TREE])
    expect(loads).toEqual([])
  })

  it('follows a dot into the record, and also expands the member before the dot', async () => {
    const [tree] = await world().expand('main.leaf', [TREE])
    expect(tree).toEqual({ ...TREE, main: { id: 'b1', leaf: { id: 'l1' } } })
  })

  it('is independent of the order, repetition and spacing of names', async () => {
    const { expand } = world()
    const expected = await expand('main.leaf,leaf', [TREE])
    for (const text of ['leaf,main.leaf', 'main,main.leaf,leaf', ' main.leaf , leaf ,main']) {
      expect(await expand(text, [TREE])).toEqual(expected)
    }
  })

  it('expands inside each entry of a list, and keeps the rest of the entry', async () => {
    const [tree] = await world().expand('parts.leaf', [TREE])
    expect(tree).toEqual({
      ...TREE,
      parts: [
        { branch: { id: 'b2', leaf: null }, amount: '1' },
        { branch: { id: 'b3', leaf: { id: 'l1' } }, amount: '2' },
      ],
    })
  })

  it('keeps null, and keeps the id of a record that is not found', async () => {
    const records = [
      { main: null, leaf: 'unknown', parts: [] },
      { main: 'constructor', leaf: null, parts: [] },
    ]
    expect(await world().expand('main.leaf,leaf,parts', records)).toEqual(records)
  })

  it('does not modify its input or the loaded records', async () => {
    const input = structuredClone([TREE])
    const stored = structuredClone(STORED)
    await world(stored).expand('main.leaf,parts.leaf', input)
    expect([input, stored]).toEqual([[TREE], STORED])
  })
})

describe('loading', () => {
  it('loads each id once per path, for any number of records', async () => {
    const { expand, loads } = world()
    await expand('main.leaf,parts', [TREE, { ...TREE, main: 'b3' }, { ...TREE, main: null }])
    expect(loads.map(({ kind, ids }) => [kind, [...new Set(ids)]])).toEqual([
      ['branch', ['b1', 'b3']],
      ['leaf', ['l1']],
      ['branch', ['b2', 'b3']],
    ])
  })

  it('loads nothing without ids, at any depth', async () => {
    const { expand, loads } = world()
    await expand('main.leaf', [
      { ...TREE, main: 'b2' },
      { ...TREE, main: null },
    ])
    expect(loads.map(({ kind }) => kind)).toEqual(['branch'])
    await expand('main.leaf,leaf,parts', [])
    expect(loads).toHaveLength(1)
  })

  it('uses the instance of the records, at every depth', async () => {
    const { expand, loads } = world()
    await expand('main.leaf', [TREE])
    expect(loads.map(({ instanceId }) => instanceId)).toEqual(['ins', 'ins'])
  })

  it('uses batches within the limit of a statement, and expands all of them', async () => {
    const ids = Array.from({ length: 2500 }, (_, at) => `b${at}`)
    const branch = Object.fromEntries(ids.map((id, at) => [id, { id, leaf: `l${at % 2}` }]))
    const { expand, loads } = world({ branch, leaf: { l0: { id: 'l0' }, l1: { id: 'l1' } } })
    const parts = ids.map((id) => ({ branch: id }))
    const [tree] = (await expand('parts.leaf', [{ parts }])) as [{ parts: object[] }]
    expect(tree.parts.at(-1)).toEqual({ branch: { id: 'b2499', leaf: { id: 'l1' } } })
    expect(new Set(tree.parts.map((part) => JSON.stringify(part))).size).toBe(2500)
    expect(loads.map(({ kind, ids: asked }) => [kind, asked.length])).toEqual([
      ['branch', 1024],
      ['branch', 1024],
      ['branch', 512],
      ['leaf', 2],
    ])
  })
})

describe('a path that cannot be expanded', () => {
  it.each([
    ['secret', 'Cannot expand secret'],
    ['id', 'Cannot expand id'],
    ['main,secret', 'Cannot expand secret'],
    ['main.secret', 'Cannot expand main.secret'],
    ['main.leaf.id', 'Cannot expand main.leaf.id'],
    ['parts.amount', 'Cannot expand parts.amount'],
    ['parts.branch', 'Cannot expand parts.branch'],
    ['branch', 'Cannot expand branch'],
    ['Main', 'Cannot expand Main'],
    ['main.', 'Cannot expand main.'],
    ['.main', 'Cannot expand .main'],
    ['main..leaf', 'Cannot expand main..leaf'],
    ['constructor', 'Cannot expand constructor'],
    ['__proto__', 'Cannot expand __proto__'],
    ['main.toString', 'Cannot expand main.toString'],
    ['main;leaf', 'Cannot expand main;leaf'],
    ['\0', 'Cannot expand \0'],
    [Array.from({ length: 51 }, () => 'main').join(','), 'expand must name at most 50 members'],
  ])('%j is rejected, also without records', async (text, message) => {
    const { expand, loads } = world()
    await expect(expand(text, [])).rejects.toThrow(ApiError)
    await expect(expand(text, [TREE])).rejects.toThrow(message)
    expect(loads).toEqual([])
  })

  it('is deeper than four', () => {
    const { graph } = world()
    const path = (depth: number) => Array.from({ length: depth }, () => 'deeper').join('.')
    expect(readExpand(path(4), 'deep', graph).size).toBe(1)
    expect(() => readExpand(path(5), 'deep', graph)).toThrow(`Cannot expand ${path(5)}`)
  })

  it('is any member of a kind that is unknown or has no members', async () => {
    const { expand } = world()
    for (const kind of ['leaf', 'nothing', 'constructor']) {
      await expect(expand('main', [], kind)).rejects.toThrow('Cannot expand main')
      expect(await expand('', [{ id: 1 }], kind)).toEqual([{ id: 1 }])
    }
  })

  it('is rejected before the record of a GET is loaded', async () => {
    const { expander } = world()
    let looked = 0
    const read = async () => {
      looked += 1
      return TREE
    }
    const request = { kind: 'tree', instanceId: 'ins' }
    await expect(readExpanded(expander, { ...request, expand: 'x' }, read)).rejects.toThrow('x')
    expect(looked).toBe(0)
    const read1 = await readExpanded(expander, { ...request, expand: 'leaf' }, read)
    expect([read1.leaf, looked]).toEqual([{ id: 'l2' }, 1])
  })
})
