import { describe, expect, it } from 'vitest'
import { typeParser } from './postgres.ts'

const INT8 = 20
const BOOL = 16
const INT4 = 23
const NUMERIC = 1700

describe('a value from PostgreSQL', () => {
  it.each([
    [INT8, '9007199254740991', Number.MAX_SAFE_INTEGER],
    [INT8, '-5', -5],
    [NUMERIC, '12', 12],
    [NUMERIC, '12.50', 12.5],
    [INT4, '7', 7],
    [BOOL, 't', 1],
    [BOOL, 'f', 0],
  ])('of type %i written %s becomes the number %d', (oid, text, expected) => {
    expect(typeParser(oid)(text)).toBe(expected)
  })

  it.each([
    [INT8, '9007199254740992'],
    [INT8, '-9007199254740993'],
    [NUMERIC, '9007199254740993'],
  ])('of type %i written %s is rejected, since it would lose digits', (oid, text) => {
    expect(() => typeParser(oid)(text)).toThrow(RangeError)
  })
})
