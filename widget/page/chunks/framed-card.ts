export { ADAPTER, checkFields, tokenizeCode } from '../methods/framed/fields.ts'
export { FramedCard, FramedCode } from '../methods/framed/FramedCard.tsx'
