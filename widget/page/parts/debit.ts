export { BankFields } from '../methods/BankFields.tsx'
export { DIRECT_DEBIT } from '../methods/direct-debit.ts'
