export { readTypedAmount } from '../../../shared/rules/typed-amount.ts'
export { numberStyle } from '../../../shared/rules/display.ts'
export { Amount } from '../Amount.tsx'
