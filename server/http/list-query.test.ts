import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FIELDS } from '../../test/criteria/example-table.ts'
import {
  listMeta,
  listParameters,
  listMetaOf,
  parseListQuery,
  parsePagination,
} from './list-query.ts'
import { openapiDocument } from './openapi/document.ts'
import { ApiError } from '../errors.ts'

describe('limit and offset', () => {
  it.each([
    [{}, { limit: 20, offset: 0 }],
    [{ limit: '1' }, { limit: 1, offset: 0 }],
    [
      { limit: '1000', offset: '4000' },
      { limit: 1000, offset: 4000 },
    ],
    [{ offset: '4980' }, { limit: 20, offset: 4980 }],
    [
      { limit: '1', offset: '4999' },
      { limit: 1, offset: 4999 },
    ],
  ])('%j', (query, window) => {
    expect(parsePagination(query)).toEqual(window)
  })

  const limit = 'limit must be a whole number from 1 to 1000'
  const offset = 'offset must be a whole number from 0'
  const reach = 'offset plus limit must be at most 5000, and limit is'
  it.each([
    [{ limit: '0' }, limit],
    [{ limit: '-1' }, limit],
    [{ limit: '1001' }, limit],
    [{ limit: '' }, limit],
    [{ limit: '1.5' }, limit],
    [{ limit: '1e2' }, limit],
    [{ limit: '0x10' }, limit],
    [{ limit: ' 5' }, limit],
    [{ limit: '05' }, limit],
    [{ limit: '٥' }, limit],
    [{ limit: 'all' }, limit],
    [{ limit: '9'.repeat(400) }, limit],
    [{ offset: '-1' }, offset],
    [{ offset: '' }, offset],
    [{ offset: '1.0' }, offset],
    [{ offset: '4981' }, `${reach} 20`],
    [{ offset: '5000', limit: '1' }, `${reach} 1`],
    [{ offset: '4001', limit: '1000' }, `${reach} 1000`],
    [{ offset: '9'.repeat(400) }, `${reach} 20`],
  ])('%j is rejected, not clamped', (query, message) => {
    expect(() => parsePagination(query)).toThrow(ApiError)
    expect(() => parsePagination(query)).toThrow(message)
  })

  it('are returned in meta with the total', () => {
    const meta = listMetaOf(parseListQuery({ limit: '2', offset: '40', order: 'id' }, FIELDS), 9000)
    expect(listMeta.parse(meta)).toEqual({ limit: 2, offset: 40, total: 9000 })
  })
})

describe('a list query', () => {
  it('returns the fields of the criteria, with any operator', () => {
    const { named } = parseListQuery(
      { criteria: 'due!!,!name,due>2030-01-01', order: 'status' },
      FIELDS,
    )
    expect([...named]).toEqual(['due', 'name'])
    expect(parseListQuery({}, FIELDS).named.size).toBe(0)
  })

  it('describes limit and offset as integers, although they are sent as text', () => {
    const query = z.object(listParameters)
    const route = { method: 'get', path: '/things', tag: 'payer', query } as const
    const described = [{ ...route, summary: 's', description: 'd', responses: { 200: listMeta } }]
    const document = openapiDocument({ mounts: [], described, events: [], baseUrl: 'http://x' })
    const operation = document.paths['/things']?.['get'] as { parameters: unknown }
    const { parameters } = operation
    expect(parameters).toMatchObject([
      { name: 'criteria', in: 'query', schema: { type: 'string' } },
      { name: 'order', in: 'query', schema: { type: 'string' } },
      { name: 'expand', in: 'query', schema: { type: 'string' } },
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 20 } },
      { name: 'offset', schema: { type: 'integer', minimum: 0 } },
    ])
    expect(parameters).not.toContainEqual(expect.objectContaining({ required: true }))
    expect(query.parse({ limit: '5', tracking: 'x' })).toEqual({ limit: '5' })
  })
})
