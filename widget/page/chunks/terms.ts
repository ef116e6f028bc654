export { AmountField, parseAmount } from '../components/AmountField.tsx'
export { ReferenceFields } from '../components/ReferenceFields.tsx'
