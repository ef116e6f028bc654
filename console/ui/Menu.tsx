import { computePosition, flip, offset, shift } from '@floating-ui/dom'
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import './menu.css'
import { Icon } from './Icon.tsx'

export interface MenuItem {
  label: string
  icon?: string
  /** Opens an address. */
  href?: string
  /** Runs an action. */
  run?: () => void
  danger?: boolean
  /** Why the item cannot be used now. */
  disabled?: string | undefined
}

/** A button with a menu (APG menu button): arrows move, Escape closes and returns to the button. */
export function Menu({
  label,
  trigger,
  items,
  kind = 'icon',
  onOpen,
}: {
  /** Name of the button; read after the trigger's text when `kind` is `bare`. */
  label: string
  trigger: ComponentChildren
  items: readonly MenuItem[]
  kind?: 'icon' | 'quiet' | 'bare'
  onOpen?: () => void
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)

  async function place(): Promise<void> {
    if (!button.current || !list.current) return
    const { x, y } = await computePosition(button.current, list.current, {
      strategy: 'fixed',
      placement: 'bottom-start',
      middleware: [offset(4), flip(), shift({ padding: 8 })],
    })
    Object.assign(list.current.style, { left: `${x}px`, top: `${y}px` })
    entries()[0]?.focus()
  }

  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  function move(event: KeyboardEvent): void {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + all.length,
      Home: 0,
      End: all.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    all[next % all.length]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind === 'bare' ? 'menu-button' : `button ${kind}`}
        aria-label={kind === 'bare' ? undefined : label}
        title={kind === 'icon' ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={open}
        popovertarget={id}
      >
        {trigger}
        {kind === 'bare' && <span class="visually-hidden">{label}</span>}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onBeforeToggle={() => setWasOpen(true)}
        onToggle={(event) => {
          const isOpen = event.newState === 'open'
          setOpen(isOpen)
          if (!isOpen) return
          onOpen?.()
          void place()
        }}
        onKeyDown={move}
      >
        {wasOpen &&
          items.map((item) => (
            <MenuEntry key={item.label} item={item} close={() => list.current?.hidePopover()} />
          ))}
      </div>
    </>
  )
}

function MenuEntry({ item, close }: { item: MenuItem; close: () => void }) {
  const content = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span>
        {item.label}
        {item.disabled && <small>{item.disabled}</small>}
      </span>
    </>
  )
  if (item.href !== undefined) {
    return (
      <a role="menuitem" tabIndex={-1} href={item.href} onClick={close}>
        {content}
      </a>
    )
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={item.danger ? 'danger' : ''}
      aria-disabled={item.disabled ? true : undefined}
      onClick={() => {
        if (item.disabled) return
        close()
        item.run?.()
      }}
    >
      {content}
    </button>
  )
}
