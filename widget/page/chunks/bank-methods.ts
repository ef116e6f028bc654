export { BankDebit as DirectDebitFields } from '../methods/BankDebit.tsx'
export { checkNeeds } from '../methods/payer-needs.ts'
export { DIRECT_DEBIT } from '../methods/stripe-debit.ts'
