export { Amount } from '../Amount.tsx'
export { readAmount } from '../read-amount.ts'
export { Reference } from '../Reference.tsx'
