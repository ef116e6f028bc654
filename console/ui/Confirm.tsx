import type { ComponentChildren } from 'preact'
import type { Action } from '../api/action.ts'
import { t } from '../shell/common-words.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Banner, errorTitle } from './States.tsx'

/** Asks before something that cannot be undone. `label` names what the button does. */
export function Confirm({
  title,
  label,
  action,
  onClose,
  children,
}: {
  title: string
  label: string
  action: Action<[]>
  onClose: () => void
  children: ComponentChildren
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button kind="danger" busy={action.busy} onClick={() => void action.run()}>
            {label}
          </Button>
        </>
      }
    >
      {action.error && (
        <div role="alert">
          <Banner tone="bad">
            {errorTitle(action.error)} {action.error.message}
          </Banner>
        </div>
      )}
      {children}
    </Dialog>
  )
}
