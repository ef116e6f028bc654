import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Action } from '../api/action.ts'
import type { RequestError } from '../api/request.ts'
import { t } from '../shell/common-words.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ActionError } from './States.tsx'

/**
 * Asks before one action, and says in place why it was refused. `label` names what the button does; it is
 * red unless `kind` is `primary`, which suits forms and what can be undone. With `isForm` the Enter key of
 * a field acts too.
 */
export function ConfirmDialog({
  title,
  label,
  action,
  onClose,
  kind = 'danger',
  disabled = false,
  wide = false,
  keep = false,
  isForm = false,
  explain,
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
  /** A press beside the dialog does not close it. */
  keep?: boolean
  isForm?: boolean
  /** Says an error in the words of the dialog; undefined for one that a field shows. */
  explain?: (error: RequestError) => string | undefined
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={wide}
      keep={keep}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            kind={kind}
            busy={action.busy}
            disabled={disabled}
            {...(isForm ? { type: 'submit', form: id } : { onClick: () => void action.run() })}
          >
            {label}
          </Button>
        </>
      }
    >
      <ActionError error={action.error} {...(explain && { explain })} />
      {isForm ? (
        <form
          id={id}
          class="dialog-form"
          onSubmit={(event) => {
            event.preventDefault()
            void action.run()
          }}
        >
          {children}
        </form>
      ) : (
        children
      )}
    </Dialog>
  )
}
