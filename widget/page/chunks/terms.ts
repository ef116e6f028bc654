export { checkRange, readAmount, readQuantity } from '../amount-choice.ts'
export { AmountField } from '../components/AmountField.tsx'
export { ReferenceFields } from '../components/ReferenceFields.tsx'
