import { createElement } from 'preact'
import shapes from 'virtual:icons'
import type names from './icon-names.json'

export type IconName = (typeof names)[number]

/** An icon beside a text that says the same. `size` is in pixels. */
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]?.map(([tag, attributes], at) => createElement(tag, { ...attributes, key: at }))}
    </svg>
  )
}
