import { priceClass } from './price-class.ts'

export function Price({ text }: { text: string }) {
  return <p class={priceClass(text)}>{text}</p>
}
