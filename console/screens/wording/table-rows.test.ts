import { describe, expect, it } from 'vitest'
import base from '../../../locales/default.json' with { type: 'json' }
import fr from '../../../locales/fr.json' with { type: 'json' }
import { createResolution } from './resolution.ts'
import { tableRows } from './table-rows.ts'

const row = (id: string, language: string, text: string) => ({
  id,
  language,
  branding: null,
  text,
  updated: '2026-01-01T00:00:00.000Z',
  shipped_changed: false,
})
const rows = [row('checkout.pay', 'default', 'Give {amount}'), row('receipt.date', 'eo', 'Dato')]
const resolution = createResolution({ rows, acks: [] }, { default: base, fr })
const shown = (options: Partial<Parameters<typeof tableRows>[0]>) =>
  tableRows({
    resolution,
    changes: [{ branding: '', language: 'fr', id: 'receipt.print', text: 'Imprimez', was: null }],
    branding: '',
    languages: ['default', 'fr'],
    searched: ['default', 'fr'],
    search: '',
    filter: 'all',
    isInState: (id) => id === 'checkout.trust',
    noteOf: (id) => (id === 'checkout.language' ? 'Choice of tongues' : ''),
    ...options,
  })

describe('the table of the wording', () => {
  it('shows every sentence once, with the plural forms of each language', () => {
    const ids = shown({ languages: ['default', 'pl'] })
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('checkout.trial_one')
    expect(ids).toContain('checkout.trial_few')
    expect(shown({})).not.toContain('checkout.trial_few')
  })

  it('finds a text of any language, an id, and what a sentence is for', () => {
    expect(shown({ search: 'IMPRIMER' })).toContain('receipt.print')
    expect(shown({ search: 'imprimer', searched: ['default'] })).toEqual([])
    expect(shown({ search: 'receipt.prin' })).toEqual(['receipt.print'])
    expect(shown({ search: 'tongues' })).toEqual(['checkout.language'])
  })

  it.each([
    ['own', 'checkout.pay'],
    ['stale', 'checkout.pay'],
    ['draft', 'receipt.print'],
    ['state', 'checkout.trust'],
  ] as const)('filters what is %s', (filter, id) => {
    expect(shown({ filter })).toEqual([id])
  })

  it('shows what a language lacks, which payers read in the base language', () => {
    const ids = shown({ filter: 'missing', languages: ['default', 'eo'] })
    expect(ids).toContain('receipt.print')
    expect(ids).not.toContain('receipt.date')
    expect(shown({ filter: 'missing' })).toEqual([])
  })
})
