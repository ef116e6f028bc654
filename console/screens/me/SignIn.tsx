import { useState } from 'preact/hooks'
import type { Enrolled, Factors, Passkey } from '../../../shared/schemas/user-factors.ts'
import { useAction } from '../../api/action.ts'
import { hasPasskeys } from '../../api/passkeys.ts'
import { request } from '../../api/request.ts'
import { seed, useResource } from '../../api/resource.ts'
import { boot } from '../../boot.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Section } from '../../ui/Details.tsx'
import { Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { formatAgo } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { AddApp } from './AddApp.tsx'
import { AddPasskey, RenamePasskey } from './PasskeyDialogs.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { t } from './factors-words.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import './factors.css'

const PATH = '/console/factors'

type Open =
  | { kind: 'app' | 'passkey' | 'password' | 'codes' | 'remove_app' }
  | { kind: 'rename' | 'remove_passkey'; passkey: Passkey }

/** How the user signs in: password, passkeys, authenticator app and recovery codes. */
export function SignIn() {
  const { data, error, reload } = useResource<{ factors: Factors }>(PATH)
  const [open, setOpen] = useState<Open>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)
  const changed = (factors: Factors) => {
    seed(PATH, { factors })
    close()
  }
  const enrolled = ({ factors, recovery_codes }: Enrolled) => {
    changed(factors)
    if (recovery_codes) setCodes(recovery_codes)
    // The document was made for a session without the factor.
    else if (boot.session.missingFactor !== null) location.reload()
  }
  const remove = useAction(async (key) => {
    const path = open && 'passkey' in open ? `${PATH}/passkeys/${open.passkey.id}` : `${PATH}/totp`
    const { factors } = await request<{ factors: Factors }>('DELETE', path, { key })
    changed(factors)
  })
  const renew = useAction(async (key) => {
    enrolled(await request<Enrolled>('POST', `${PATH}/recovery_codes`, { key }))
  })
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  const { factors } = data
  const { totp, passkeys, recovery_codes_left: left } = factors
  const isLast = (totp ? 1 : 0) + passkeys.length === 1
  const hasNone = !totp && passkeys.length === 0
  return (
    <>
      {factors.missing && factors.policy !== 'off' && (
        <Banner tone="wait">{t(`from_policy_${factors.policy}`)}</Banner>
      )}
      <Section
        title={t('password')}
        aside={
          <Button icon="pencil" onClick={() => setOpen({ kind: 'password' })}>
            {t('change_password')}
          </Button>
        }
      >
        <p class="muted">{t('password_about')}</p>
      </Section>
      <Section
        title={t('passkeys')}
        aside={
          hasPasskeys() && (
            <Button icon="plus" onClick={() => setOpen({ kind: 'passkey' })}>
              {t('add_passkey')}
            </Button>
          )
        }
      >
        <p class="muted">{hasPasskeys() ? t('passkeys_about') : t('passkey_unsupported')}</p>
        {passkeys.length === 0 ? (
          <p class="muted">{t('passkeys_none')}</p>
        ) : (
          <ul class="factors">
            {passkeys.map((passkey) => (
              <li key={passkey.id}>
                <span>
                  <b>{passkey.name}</b>
                  <small class="muted">{t('passkey_since', times(passkey))}</small>
                </span>
                <Button onClick={() => setOpen({ kind: 'rename', passkey })}>
                  {t('passkey_rename')}
                </Button>
                <Button onClick={() => setOpen({ kind: 'remove_passkey', passkey })}>
                  {t('remove')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section
        title={t('app')}
        aside={
          <Button icon={totp ? 'refresh-cw' : 'plus'} onClick={() => setOpen({ kind: 'app' })}>
            {totp ? t('app_replace') : t('add_app')}
          </Button>
        }
      >
        <p class="muted">{t('app_about')}</p>
        {totp && (
          <ul class="factors">
            <li>
              <span>
                <b>{t('app')}</b>
                <small class="muted">{t('app_since', times(totp))}</small>
              </span>
              <Button onClick={() => setOpen({ kind: 'remove_app' })}>{t('remove')}</Button>
            </li>
          </ul>
        )}
      </Section>
      <Section
        title={t('codes')}
        aside={
          left !== null && (
            <Button icon="refresh-cw" onClick={() => setOpen({ kind: 'codes' })}>
              {t('codes_new')}
            </Button>
          )
        }
      >
        <p class="muted">{left === null ? t('codes_none') : t('codes_about')}</p>
        {left !== null && <p>{t('codes_left', { count: left })}</p>}
      </Section>

      {open?.kind === 'password' && <ChangePassword onClose={close} />}
      {open?.kind === 'app' && (
        <AddApp
          isFirst={hasNone}
          onClose={close}
          onDone={(done) => {
            enrolled(done)
            toast(t('app_added'))
          }}
        />
      )}
      {open?.kind === 'passkey' && (
        <AddPasskey isFirst={hasNone} onClose={close} onDone={enrolled} />
      )}
      {open?.kind === 'rename' && (
        <RenamePasskey passkey={open.passkey} onClose={close} onDone={changed} />
      )}
      {open?.kind === 'remove_passkey' && (
        <ConfirmDialog
          title={t('remove_passkey_title', { name: open.passkey.name })}
          label={t('remove')}
          action={remove}
          onClose={close}
        >
          <p>{isLast ? t('remove_last') : t('remove_passkey_text')}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'remove_app' && (
        <ConfirmDialog
          title={t('remove_app_title')}
          label={t('remove')}
          action={remove}
          onClose={close}
        >
          <p>{isLast ? t('remove_last') : t('remove_app_text')}</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'codes' && (
        <ConfirmDialog title={t('codes_new')} label={t('codes_new')} action={renew} onClose={close}>
          <p>{t('codes_new_text')}</p>
        </ConfirmDialog>
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(undefined)
            if (boot.session.missingFactor !== null) location.reload()
          }}
        />
      )}
    </>
  )
}

function times({ created, last_used }: { created: string; last_used: string | null }) {
  return {
    time: formatAgo(created),
    used: last_used === null ? t('never_used') : formatAgo(last_used),
  }
}
