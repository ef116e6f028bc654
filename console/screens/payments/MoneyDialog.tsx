import type { ComponentChildren } from 'preact'
import { useInstance } from '../../address.ts'
import { t as common } from '../../shell/common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
import { online } from '../../shell/online.ts'
import { t } from './payments-words.ts'
import type { MoneyRequest } from './use-money-request.ts'

/** The outcome of a movement, as the API reports it. */
export interface Outcome {
  status: string
  gateway_message: string | null
}

/**
 * The frame of a dialog that moves money: the form, and what became of it in words. The sum stands on
 * the button, which ignores presses while a request runs, and no key but Enter on it sends the form.
 */
export function MoneyDialog<Result>({
  title,
  action,
  valid,
  danger = false,
  request,
  outcome,
  body,
  onClose,
  children,
}: {
  title: string
  /** The text of the button, with the sum. */
  action: string
  valid: boolean
  danger?: boolean
  request: MoneyRequest<Result> & { send: (body: unknown) => void }
  outcome: (result: Result) => Outcome
  body: () => unknown
  onClose: () => void
  children: ComponentChildren
}) {
  const { mode } = useInstance()
  const answered = request.state === 'answered' ? outcome(request.result) : undefined
  const isOffline = !online.value
  // Leaving does not take back what was sent.
  const isSent = request.state === 'busy' || request.state === 'no_answer'
  return (
    <Dialog
      title={title}
      badge={
        mode === 'TEST' && (
          <Pill tone="wait" plain>
            {common('test')}
          </Pill>
        )
      }
      onClose={onClose}
      footer={
        answered ? (
          <Button kind="primary" onClick={onClose}>
            {common('close')}
          </Button>
        ) : (
          <>
            <Button kind="plain" onClick={onClose}>
              {isSent ? common('close') : common('cancel')}
            </Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              busy={request.state === 'busy'}
              disabled={!valid || isOffline}
              onClick={() => request.send(body())}
            >
              {request.state === 'no_answer' ? t('request_again_button') : action}
            </Button>
          </>
        )
      }
    >
      {answered ? (
        <OutcomeBanner {...answered} />
      ) : (
        <>
          {request.state === 'no_answer' && <Banner tone="ask">{t('request_again')}</Banner>}
          {request.state === 'refused' && (
            <div role="alert">
              <Banner tone="bad">
                <b>{errorTitle(request.error)}</b> {request.error.message}
              </Banner>
            </div>
          )}
          {isOffline && <Banner tone="wait">{common('offline_bar')}</Banner>}
          {/* What was sent without an answer is not changed: it may have taken place. */}
          <fieldset class="money-form" disabled={isSent}>
            {children}
          </fieldset>
        </>
      )}
    </Dialog>
  )
}

function OutcomeBanner({ status, gateway_message }: Outcome) {
  if (status === 'SUCCESS') return <Banner tone="ok">{t('outcome_success')}</Banner>
  if (status === 'PENDING') return <Banner tone="wait">{t('outcome_pending')}</Banner>
  if (status === 'UNRESOLVED') return <Banner tone="ask">{t('outcome_unknown')}</Banner>
  return <Banner tone="bad">{t('outcome_declined', { reason: gateway_message ?? '–' })}</Banner>
}
