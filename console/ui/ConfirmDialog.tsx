import type { ComponentChildren } from 'preact'
import type { Action } from '../api/action.ts'
import { t } from '../shell/common-words.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ActionError } from './States.tsx'

/**
 * Asks before one action, and says in place why it was refused. `label` names what the button does; it is
 * red unless `kind` is `primary`, which suits forms and what can be undone.
 */
export function ConfirmDialog({
  title,
  label,
  action,
  onClose,
  kind = 'danger',
  disabled = false,
  wide = false,
  children,
}: {
  title: string
  label: string
  action: Action<[]>
  onClose: () => void
  kind?: 'danger' | 'primary'
  /** What the form says cannot be sent yet. */
  disabled?: boolean
  wide?: boolean
  children: ComponentChildren
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={wide}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            kind={kind}
            busy={action.busy}
            disabled={disabled}
            onClick={() => void action.run()}
          >
            {label}
          </Button>
        </>
      }
    >
      <ActionError error={action.error} />
      {children}
    </Dialog>
  )
}
