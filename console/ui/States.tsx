import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestError } from '../api/request.ts'
import { t } from '../shell/common-words.ts'
import './states.css'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

/** Shows where content will be. It appears after 150 ms, so that a fast answer does not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="skeleton" role="status" aria-label={t('loading')}>
      {shown && Array.from({ length: rows }, (_, row) => <span key={row} />)}
    </div>
  )
}

/** Stands in place of the part that failed; the rest of the screen lives on. */
export function ErrorPanel({
  error,
  retry,
  isScreen = false,
}: {
  error: RequestError
  retry?: () => void
  /** Whether it stands for a whole screen, whose heading it then is. */
  isScreen?: boolean
}) {
  return (
    <div class="state-panel" role="alert">
      <Icon name="circle-alert" size={20} />
      <div class="state-text">
        {isScreen ? (
          <h1 tabIndex={-1} id="screen-title">
            {errorTitle(error)}
          </h1>
        ) : (
          <b>{errorTitle(error)}</b>
        )}
        {error.status !== 0 && error.message && <span class="muted"> {error.message}</span>}
        {error.requestId && <code>{error.requestId}</code>}
      </div>
      {retry && error.status !== 403 && error.status !== 404 && (
        <Button icon="refresh-cw" onClick={retry}>
          {t('try_again')}
        </Button>
      )}
    </div>
  )
}

/** What went wrong, in the words of the console. */
export function errorTitle({ status, type }: Pick<RequestError, 'status' | 'type'>): string {
  if (type === 'STEP_UP_REQUIRED') return t('step_up_needed')
  if (type === 'SECOND_FACTOR_REQUIRED') return t('second_factor_needed')
  if (status === 0) return t('offline')
  if (status === 401) return t('signed_out')
  if (status === 403) return t('forbidden')
  if (status === 404) return t('not_found')
  if (status === 409) return t('conflict')
  if (status === 429) return t('throttled')
  return status < 500 ? t('refused') : t('failed')
}

/** What will be here, one way to begin, and the same by API. */
export function Empty({
  children,
  action,
  request,
}: {
  children: ComponentChildren
  action?: ComponentChildren
  request?: string
}) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
      {request && <pre tabIndex={0}>{request}</pre>}
    </div>
  )
}

/** A message above the content that it is about. */
export function Banner({
  tone,
  children,
}: {
  tone: 'wait' | 'bad' | 'news' | 'ask' | 'ok'
  children: ComponentChildren
}) {
  return (
    <div class={`banner ${tone}`}>
      <Icon name={tone === 'bad' ? 'circle-alert' : tone === 'wait' ? 'triangle-alert' : 'info'} />
      <div>{children}</div>
    </div>
  )
}

/** Why an action was refused, read out when it appears. */
export function ActionError({
  error,
  explain = explainError,
}: {
  error: RequestError | undefined
  /** Says it in the words of the dialog; undefined for an error that a field shows. */
  explain?: (error: RequestError) => string | undefined
}) {
  const text = error && explain(error)
  if (text === undefined) return null
  return (
    <div role="alert">
      <Banner tone="bad">{text}</Banner>
    </div>
  )
}

/** Returns an error in the words of the console and of the API. */
export function explainError(error: RequestError): string {
  return `${errorTitle(error)} ${error.message}`
}
