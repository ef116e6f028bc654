import { useEffect, useRef, useState } from 'preact/hooks'
import { request } from '../api/request.ts'
import { boot } from '../boot.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { t as common } from './common-words.ts'
import { type IdleState, idleState } from './idle-time.ts'
import { t } from './session-words.ts'

/** Shared with the other tabs of the browser, in one of which the user may be active. */
const ACTIVE = 'cs.active'
const CHECK_MS = 5000

let lastActive = Date.now()

function markActive(): void {
  const now = Date.now()
  if (now - lastActive < CHECK_MS) return
  lastActive = now
  try {
    localStorage.setItem(ACTIVE, String(now))
  } catch {
    // Without storage each tab counts for itself.
  }
}

function latestActivity(): number {
  try {
    return Math.max(lastActive, Number(localStorage.getItem(ACTIVE) ?? 0))
  } catch {
    return lastActive
  }
}

/**
 * Signs a user out who did nothing for too long, and warns before. The requests that a screen makes by
 * itself are no activity of a person, so the server alone could not tell.
 */
export function IdleDialog() {
  const [state, setState] = useState<IdleState>({ kind: 'active' })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const idleMs = boot.session.idleMinutes * 60_000
    const check = () => setState(idleState({ now: Date.now(), active: latestActivity(), idleMs }))
    const timer = setInterval(check, CHECK_MS)
    const kinds = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
    for (const kind of kinds) addEventListener(kind, markActive, { passive: true })
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      for (const kind of kinds) removeEventListener(kind, markActive)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
  useEffect(() => {
    if (state.kind === 'over') form.current?.submit()
  }, [state.kind])
  const stay = () => {
    lastActive = 0
    markActive()
    setState({ kind: 'active' })
    // The server counts requests.
    void request('GET', '/console/factors').catch(() => {})
  }
  return (
    <>
      <form ref={form} method="post" action={boot.signOut.action} hidden>
        <input type="hidden" name="token" value={boot.signOut.token} />
      </form>
      {state.kind === 'warned' && (
        <Dialog
          title={t('idle_title')}
          onClose={stay}
          footer={
            <>
              <Button kind="plain" onClick={() => form.current?.submit()}>
                {common('sign_out')}
              </Button>
              <Button kind="primary" onClick={stay}>
                {t('idle_stay')}
              </Button>
            </>
          }
        >
          <p role="alert">{t('idle_why', { count: state.minutes })}</p>
        </Dialog>
      )}
    </>
  )
}
