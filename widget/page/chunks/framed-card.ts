export { checkFields, FRAMED_CARD, tokenizeCode } from '../methods/framed/fields.ts'
export { FramedCard, FramedCode } from '../methods/framed/FramedCard.tsx'
export { forgetStripe, loadStripe } from '../methods/framed/load-script.ts'
