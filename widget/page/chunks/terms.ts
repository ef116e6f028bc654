export { AmountField, readAmount } from '../components/AmountField.tsx'
export { ReferenceFields } from '../components/ReferenceFields.tsx'
