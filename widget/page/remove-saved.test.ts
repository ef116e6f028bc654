import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MODELS, model } from '../scenes/models.ts'
import { createForm } from './form.ts'
import { chunksFor, loadAllChunks } from './load-chunks.ts'
import { removeSaved, showRemovalStep } from './remove-saved.ts'
import { renderCheckout } from './render.tsx'
import { settled, setUp } from './testing.ts'

await loadAllChunks()

const RECEIPT = MODELS['receipt'] ?? model()
const SAVED_RECEIPT = MODELS['receipt-saved'] ?? model()
const [SAVED] = SAVED_RECEIPT.checkout.saved_methods
const id = SAVED?.id ?? ''
const NOT_REMOVED = { id: 'methods.not_removed', values: { merchant: 'Atelier Nord' } }

/** The elements that the page looked up and focused. */
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
  it('names the method and offers its removal, and no other receipt does', () => {
    const { body } = renderCheckout(SAVED_RECEIPT)
    expect(body).toContain('Atelier Nord has saved this payment method.')
    expect(body).toContain('Remove')
    expect(renderCheckout(RECEIPT).body).not.toContain('Remove')
  })

  it('loads the chunk of saved methods, and other receipts and forms do not', () => {
    const partsOf = (shown: typeof RECEIPT) => {
      const { checkout } = setUp(shown)
      return chunksFor({ checkout, form: createForm(checkout) })
    }
    expect(partsOf(SAVED_RECEIPT)).toEqual(['result', 'saved-methods'])
    expect(partsOf(RECEIPT)).toEqual(['result'])
    expect(partsOf(MODELS['form-saved'] ?? model())).toEqual(['saved-methods'])
  })
})

describe('the removal', () => {
  it('asks for a confirmation, and the payer may keep the method', async () => {
    const { checkout, requests } = reloaded()
    showRemovalStep(checkout, 'ASKING')
    await settled()
    expect([checkout.removal.value, focused]).toEqual(['ASKING', ['#saved-method p']])
    showRemovalStep(checkout, 'SAVED')
    await settled()
    expect([checkout.removal.value, focused.at(-1)]).toEqual(['SAVED', '#saved-method button'])
    expect(requests).toEqual([])
  })

  it.each([
    ['is removed', { json: null }],
    ['was removed in another window', { status: 404, json: { error: { type: 'NOT_FOUND' } } }],
  ])('is announced and keeps the focus where it %s', async (_, reply) => {
    const { checkout, requests, answer } = reloaded()
    await checkout.start()
    answer.push(reply)
    showRemovalStep(checkout, 'ASKING')
    await removeSaved(checkout, id)
    await settled()
    expect(requests.at(-1)).toMatchObject({
      path: `/pay/checkouts/current/payment_methods/${id}`,
      authorization: 'Bearer ckt_0',
    })
    expect(checkout.removal.value).toBe('REMOVED')
    expect(checkout.announcement.value).toEqual({ id: 'methods.removed' })
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
    const said = checkout.announcement.value
    expect(said).toEqual(NOT_REMOVED)
    answer.push(reply)
    const again = removeSaved(checkout, id)
    expect(checkout.announcement.value).toBeNull()
    await again
    expect(checkout.announcement.value).toEqual(NOT_REMOVED)
    answer.push({ json: null })
    await removeSaved(checkout, id)
    expect(checkout.removal.value).toBe('REMOVED')
  })

  it('is requested once and cannot be canceled meanwhile', async () => {
    const { checkout, requests, answer } = reloaded()
    await checkout.start()
    const before = requests.length
    answer.push({ json: null })
    const removing = removeSaved(checkout, id)
    void removeSaved(checkout, id)
    showRemovalStep(checkout, 'SAVED')
    expect(checkout.removal.value).toBe('REMOVING')
    await removing
    expect(requests).toHaveLength(before + 1)
  })
})
