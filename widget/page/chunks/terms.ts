export { AmountField } from '../components/AmountField.tsx'
export { readAmount } from '../read-amount.ts'
export { ReferenceFields } from '../components/ReferenceFields.tsx'
