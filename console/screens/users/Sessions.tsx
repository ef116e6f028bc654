import { useState } from 'preact/hooks'
import type { UserSessionRecord } from '../../../shared/schemas/user-session.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Section } from '../../ui/Details.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { formatAgo } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { browserName } from './browser-name.ts'
import { t } from './users-words.ts'
import './users.css'

/** The browsers in which a user is signed in. Each can be signed out, and all but this one at once. */
export function Sessions({ user, canEnd }: { user: string; canEnd: boolean }) {
  const { api } = useInstance()
  const path = api(`/user_sessions?criteria=user=${user}&order=last_seen:desc&limit=100`)
  const { data, error, reload } = useResource<{ user_sessions: UserSessionRecord[] }>(path)
  const [ending, setEnding] = useState(false)
  const ended = () => {
    setEnding(false)
    invalidate((address) => address.startsWith(api('/user_sessions')))
    toast(t('signed_out'))
  }
  const endOne = useAction(async (_key, id: string) => {
    await request('DELETE', api(`/user_sessions/${id}`))
    ended()
  })
  const endAll = useAction(async () => {
    await request('DELETE', api(`/user_sessions?user=${user}`))
    ended()
  })
  const sessions = data?.user_sessions
  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <Section
      title={t('sessions')}
      aside={
        canEnd &&
        others.length > 1 && (
          <Button icon="log-out" onClick={() => setEnding(true)}>
            {t('sign_out_all')}
          </Button>
        )
      }
    >
      {!sessions ? (
        error ? (
          <ErrorPanel error={error} retry={reload} />
        ) : (
          <Skeleton />
        )
      ) : sessions.length === 0 ? (
        <p class="muted">{t('no_sessions')}</p>
      ) : (
        <ul class="user-sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <span>
                <b>{browserText(session)}</b>
                <small class="muted">{seenText(session)}</small>
              </span>
              {session.current ? (
                <Pill tone="ok">{t('this_browser')}</Pill>
              ) : (
                canEnd && (
                  <Button busy={endOne.busy} onClick={() => void endOne.run(session.id)}>
                    {t('sign_out')}
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
      )}
      {endOne.error && <ErrorPanel error={endOne.error} />}
      {ending && (
        <ConfirmDialog
          title={t('sign_out_all_title')}
          label={t('sign_out_all')}
          action={endAll}
          onClose={() => setEnding(false)}
        >
          <p>{t('sign_out_all_explain', { count: others.length })}</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

function browserText({ user_agent }: UserSessionRecord): string {
  const { browser, system } = browserName(user_agent ?? '')
  if (browser && system) return t('browser_on', { browser, system })
  return browser ?? system ?? t('browser_unknown')
}

function seenText({ ip, created, last_seen }: UserSessionRecord): string {
  const since = t('session_since', {
    time: formatAgo(created),
    seen: formatAgo(last_seen ?? created),
  })
  return ip === null ? since : `${ip} · ${since}`
}
