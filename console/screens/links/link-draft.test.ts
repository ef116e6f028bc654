import { describe, expect, it } from 'vitest'
import { emptyDraft, type LinkDraft, previewOf } from './link-draft.ts'

const shown = (draft: Partial<LinkDraft>) =>
  previewOf({ ...emptyDraft('EUR'), ...draft }, 'Corner Shop').terms

describe('the preview of a draft', () => {
  it('has a field for the amount until one is typed', () => {
    expect(shown({})).toMatchObject({ amount: null, amount_editable: true })
    expect(shown({ amount: '24' })).toMatchObject({ amount: '24.00', amount_editable: false })
  })

  it('keeps the field where the payer may change the amount', () => {
    expect(shown({ amountKind: 'suggested', amount: '24' })).toMatchObject({
      amount: '24.00',
      amount_editable: true,
    })
    expect(shown({ amountKind: 'free', amount: '24' })).toMatchObject({
      amount: null,
      amount_editable: true,
    })
  })
})
