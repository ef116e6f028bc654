import { describe, expect, it } from 'vitest'
import { editIban, ibanOf } from './iban.ts'

describe('an IBAN', () => {
  it('is read in any notation', () => {
    expect(ibanOf('gb35 sand 0000 0000 0000 77')).toBe('GB35SAND00000000000077')
  })

  it('is grouped in fours and capitalized while it is typed', () => {
    const edit = editIban({ before: '', text: 'gb35sand0', caret: 9, forward: false })
    expect(edit).toEqual({ text: 'GB35 SAND 0', caret: 11 })
  })
})
