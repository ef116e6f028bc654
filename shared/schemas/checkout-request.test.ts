import { describe, expect, it } from 'vitest'
import { openCheckoutRequest, submitRequest } from './checkout-request.ts'

const opens = (body: unknown) => openCheckoutRequest.safeParse(body).success

describe('opening a session', () => {
  it('requires nothing', () => {
    expect(opens({})).toBe(true)
  })

  it.each([
    { strings_hash: 'a'.repeat(64) },
    { language: 'fr' },
    { language: 'default' },
    { branding: 'summer' },
    { embedded_origin: 'https://shop.example' },
    { embedded_origin: 'http://localhost:3000' },
  ])('accepts %j', (body) => {
    expect(opens(body)).toBe(true)
  })

  it.each([
    { strings_hash: 'A'.repeat(64) },
    { strings_hash: 'a'.repeat(63) },
    { language: 'FR' },
    { language: 'fr-CA' },
    { language: '' },
    { embedded_origin: 'https://shop.example/' },
    { embedded_origin: 'https://shop.example/path' },
    { embedded_origin: 'javascript:alert(1)' },
    { embedded_origin: 'null' },
    { embedded_origin: '*' },
    { amount: '1.00' },
    [],
    null,
  ])('rejects %j', (body) => {
    expect(opens(body)).toBe(false)
  })
})

const SUBMIT = {
  attempt_key: '3f2b8c1e-9d4a-4b7e-8f1a-2c3d4e5f6a7b',
  options_v: 1,
  payment_method: { type: 'CARD', processor: 'sandbox', token: 'tok_a1-B2' },
}
const submits = (changes: object) => submitRequest.safeParse({ ...SUBMIT, ...changes }).success

describe('submitting a payment', () => {
  it('requires an attempt, the version of the terms and a method', () => {
    expect(submits({})).toBe(true)
    expect(submits({ attempt_key: undefined })).toBe(false)
    expect(submits({ options_v: undefined })).toBe(false)
    expect(submits({ payment_method: undefined })).toBe(false)
  })

  it.each([
    { payment_method: { type: 'BANK_TRANSFER', processor: 'sandbox' } },
    { payment_method: { token: 'tok_1' } },
    { payment_method: { id: 'pm_1_a' } },
    { payment_method: { id: 'pm_1_a', csc: '123' } },
    { payment_method: { id: 'pm_1_a', csc: '0123' } },
    { amount: '10.50', currency: 'EUR', alt_key: 'A-7', description: 'May', save_card: true },
    { account: { first_name: 'Ada', email: 'ada@example.com', address: { country: 'GB' } } },
    { save_card: false },
  ])('accepts %j', (changes) => {
    expect(submits(changes)).toBe(true)
  })

  it.each([
    { attempt_key: 'again' },
    { options_v: 0 },
    { options_v: 1.5 },
    { options_v: '1' },
    { payment_method: {} },
    { payment_method: { csc: '123' } },
    { payment_method: { id: 'pm_1_a', token: 'tok_1' } },
    { payment_method: { id: 'pm_1_a', type: 'CARD' } },
    { payment_method: { id: 'pm_1_a', csc: '12' } },
    { payment_method: { id: 'pm_1_a', csc: '12345' } },
    { payment_method: { id: 'pm_1_a', csc: 123 } },
    { payment_method: { type: 'card' } },
    { payment_method: { type: 'CARD', token: 'a b' } },
    { payment_method: { type: 'CARD', number: '4242424242424242' } },
    { payment_method: 'pm_1_a' },
    { amount: '10,50' },
    { amount: '0.00' },
    { amount: 10 },
    { currency: 'eur' },
    { save_card: 'true' },
    { save_card: null },
    { account: 'acc_1_a' },
    { account: { email: 'ada' } },
    { account: { crm_key: 'C-7' } },
    { status: 'COMPLETED' },
  ])('rejects %j', (changes) => {
    expect(submits(changes)).toBe(false)
  })
})
