import { describe, expect, it } from 'vitest'
import { type TaxId, taxIdProblem } from './tax-id.ts'

describe('a tax number', () => {
  it.each<[TaxId['type'], string, string, string | undefined]>([
    ['VAT', 'FR', 'FR40303265045', undefined],
    ['VAT', 'FR', 'FR 40 303 265 045', undefined],
    ['VAT', 'DE', 'FR40303265045', 'value must begin with DE'],
    ['VAT', 'GR', 'EL123456789', undefined],
    ['VAT', 'GR', 'GR123456789', 'value must begin with EL'],
    ['VAT', 'GB', 'XI123456789', undefined],
    ['VAT', 'GB', '123456789', 'value must begin with GB or XI'],
    ['VAT', 'NL', 'NL123456789B01', undefined],
    ['VAT', 'NL', 'NL1', 'value must have 2 to 13 characters after NL'],
    ['VAT', 'CH', 'CHE-123.456.789', undefined],
    ['VAT', 'NO', '923 609 016', undefined],
    ['EIN', 'US', '12-3456789', undefined],
    ['EIN', 'US', '12-345678', 'value must be nine digits'],
    ['EIN', 'CA', '12-3456789', 'country must be US for an EIN'],
    ['ABN', 'AU', '51 824 753 556', undefined],
    ['ABN', 'NZ', '51 824 753 556', 'country must be AU for an ABN'],
    ['GST', 'IN', '22AAAAA0000A1Z5', undefined],
    ['OTHER', 'BR', 'x', 'value must be 2 to 30 capital letters and digits'],
  ])('%s of %s: %s', (type, country, value, expected) => {
    const problem = taxIdProblem({ type, country, value })
    expect(problem && `${problem.member} ${problem.rule}`).toBe(expected)
  })
})
