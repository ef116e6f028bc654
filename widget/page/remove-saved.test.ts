import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODELS, model } from '../gallery/models.ts'
import { createForm } from './form.ts'
import { loadAllChunks } from './load-chunks.ts'
import { chunksFor } from './chunks.ts'
import { removeSaved, showStep } from './remove-saved.ts'
import { renderPage } from './render.tsx'
import { settled, setUp } from './testing.ts'

await loadAllChunks()

const RECEIPT = MODELS['receipt'] ?? model()
const SAVED_RECEIPT = MODELS['receipt-saved'] ?? model()
const [SAVED] = SAVED_RECEIPT.checkout.saved_methods
const id = SAVED?.id ?? ''
const NOT_REMOVED = { id: 'methods.not_removed', values: { merchant: 'Atelier Nord' } }

/** What the page asked the document for, and focused. */
let focused: string[] = []

beforeEach(() => {
  focused = []
  vi.stubGlobal('document', {
    querySelector: (selector: string) => ({ focus: () => focused.push(selector) }),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** A receipt whose session is resumed after a reload. */
function reloaded() {
  const test = setUp(SAVED_RECEIPT, 'ckt_0')
  return { ...test, answer: test.replies.open }
}

describe('the receipt of a payment whose method was saved', () => {
  it('says so and offers its removal, and no other receipt does', () => {
    const { body } = renderPage(SAVED_RECEIPT)
    expect(body).toContain('Atelier Nord has saved this payment method.')
    expect(body).toContain('Remove')
    expect(renderPage(RECEIPT).body).not.toContain('Remove')
  })

  it('loads the removal alone, and other receipts and forms do without', () => {
    const partsOf = (shown: typeof RECEIPT) => {
      const { checkout } = setUp(shown)
      return chunksFor({ checkout, form: createForm(checkout) })
    }
    expect(partsOf(SAVED_RECEIPT)).toEqual(['afterwards', 'removal'])
    expect(partsOf(RECEIPT)).toEqual(['afterwards'])
    expect(partsOf(MODELS['form-saved'] ?? model())).toEqual(['saved'])
  })
})

describe('removing it', () => {
  it('asks once more, and the payer may keep it', async () => {
    const { checkout, asked } = reloaded()
    showStep(checkout, 'ASKING')
    await settled()
    expect([checkout.removal.value, focused]).toEqual(['ASKING', ['#saved-method p']])
    showStep(checkout, 'SAVED')
    await settled()
    expect([checkout.removal.value, focused.at(-1)]).toEqual(['SAVED', '#saved-method button'])
    expect(asked).toEqual([])
  })

  it.each([
    ['is removed', { json: null }],
    ['was removed in another window', { status: 404, json: { error: { type: 'NOT_FOUND' } } }],
  ])('is announced and keeps the focus where it %s', async (_, reply) => {
    const { checkout, asked, answer } = reloaded()
    await checkout.start()
    answer.push(reply)
    showStep(checkout, 'ASKING')
    await removeSaved(checkout, id)
    await settled()
    expect(asked.at(-1)).toMatchObject({
      path: `/pay/checkouts/current/payment_methods/${id}`,
      authorization: 'Bearer ckt_0',
    })
    expect(checkout.removal.value).toBe('REMOVED')
    expect(checkout.whisper.value).toEqual({ id: 'methods.removed' })
    expect(focused.at(-1)).toBe('#saved-method')
  })

  it.each([
    ['the connection breaks', 'LOST' as const],
    ['it is in use by now', { status: 400, json: { error: { type: 'INVALID_STATE' } } }],
  ])('says that it failed when %s, each time, and can be tried again', async (_, reply) => {
    const { checkout, answer } = reloaded()
    await checkout.start()
    answer.push(reply)
    await removeSaved(checkout, id)
    expect(checkout.removal.value).toBe('FAILED')
    const said = checkout.whisper.value
    expect(said).toEqual(NOT_REMOVED)
    answer.push(reply)
    const again = removeSaved(checkout, id)
    expect(checkout.whisper.value).toBeNull()
    await again
    expect(checkout.whisper.value).toEqual(NOT_REMOVED)
    answer.push({ json: null })
    await removeSaved(checkout, id)
    expect(checkout.removal.value).toBe('REMOVED')
  })

  it('is asked for once, however often the button is pressed, and is not left meanwhile', async () => {
    const { checkout, asked, answer } = reloaded()
    await checkout.start()
    const before = asked.length
    answer.push({ json: null })
    const removing = removeSaved(checkout, id)
    void removeSaved(checkout, id)
    showStep(checkout, 'SAVED')
    expect(checkout.removal.value).toBe('REMOVING')
    await removing
    expect(asked).toHaveLength(before + 1)
  })
})
