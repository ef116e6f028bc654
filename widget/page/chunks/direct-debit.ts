export { DirectDebitFields } from '../methods/DirectDebitFields.tsx'
export { DIRECT_DEBIT } from '../methods/direct-debit-adapter.ts'
