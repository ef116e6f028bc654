export { adapter, checkFields, tokenizeCode } from '../methods/framed/fields.ts'
export { FramedCard as MethodFields, FramedCode } from '../methods/framed/FramedCard.tsx'
export { forgetStripe, loadStripe } from '../methods/framed/load-script.ts'
