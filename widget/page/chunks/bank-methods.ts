export { adapter } from '../methods/bank-adapter.ts'
export { BankFields as MethodFields } from '../methods/BankFields.tsx'
