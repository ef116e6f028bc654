import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import './dialog.css'
import { IconButton } from './Button.tsx'
import { t } from '../shell/common-words.ts'

/**
 * A modal dialog; a sheet at the bottom of small screens. It opens when it is drawn. `onClose` is called
 * for Escape, the close button and a press beside it; the focus then returns to where it was.
 */
export function Dialog({
  title,
  badge,
  children,
  footer,
  onClose,
  wide = false,
  keep = false,
}: {
  title: string
  badge?: ComponentChildren
  children: ComponentChildren
  /** The buttons. */
  footer?: ComponentChildren
  onClose: () => void
  wide?: boolean
  /** A press beside it does not close it, because what it shows is shown once. */
  keep?: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (!keep && event.target === dialog.current) onClose()
      }}
    >
      <div class="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          {badge}
          <IconButton icon="x" label={t('close')} onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  )
}
