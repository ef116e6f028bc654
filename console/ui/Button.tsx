import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import './button.css'
import { Icon } from './Icon.tsx'
import { Keys } from './Keys.tsx'

export type ButtonKind = 'primary' | 'quiet' | 'plain' | 'danger'

interface ButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'icon' | 'type' | 'disabled'
> {
  kind?: ButtonKind
  icon?: string
  /** The keys that press it, such as `⌘↵`. */
  keys?: string
  /** Its action runs: it stays in place, is announced as busy, and ignores presses. */
  busy?: boolean | undefined
  disabled?: boolean | undefined
  type?: 'button' | 'submit'
  form?: string
  children: ComponentChildren
  buttonRef?: Ref<HTMLButtonElement>
}

export function Button({
  kind = 'quiet',
  icon,
  keys,
  busy = false,
  children,
  onClick,
  type = 'button',
  buttonRef,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      ref={buttonRef ?? null}
      type={type}
      class={`button ${kind}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (!busy) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {busy ? <Icon name="loader-circle" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
      {keys && <Keys keys={keys} />}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = 'quiet',
  icon,
  keys,
  href,
  children,
  ...rest
}: {
  kind?: ButtonKind
  icon?: string
  keys?: string
  href: string
  children: ComponentChildren
  target?: string
  download?: string
}) {
  return (
    <a {...rest} class={`button ${kind}`} href={href}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {keys && <Keys keys={keys} />}
    </a>
  )
}

/** A button with an icon alone. `label` is its name. */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: string; label: string; buttonRef?: Ref<HTMLButtonElement> } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'icon' | 'label' | 'type'
>) {
  const { buttonRef, ...attributes } = rest
  return (
    <button
      {...attributes}
      ref={buttonRef ?? null}
      type="button"
      class="button icon"
      aria-label={label}
      title={label}
    >
      <Icon name={icon} size={18} />
    </button>
  )
}
