export { DIRECT_DEBIT } from '../methods/direct-debit-adapter.ts'
export { DirectDebitFields } from '../methods/DirectDebitFields.tsx'
