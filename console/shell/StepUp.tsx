import { useEffect, useState } from 'preact/hooks'
import type { StepUpOptions } from '../../shared/schemas/user-factors.ts'
import { useAction } from '../api/action.ts'
import { hasPasskeys, usePasskey } from '../api/passkeys.ts'
import { request, type RequestError } from '../api/request.ts'
import { stepUpAsked } from '../api/step-up.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { ActionError, explainError, Skeleton } from '../ui/States.tsx'
import { AccountOfPassword } from './AccountOfPassword.tsx'
import { t as common } from './common-words.ts'
import { t } from './session-words.ts'

const PATH = '/console/step_up'

/** The dialog in which a user proves who they are; the request that needs it goes on afterwards. */
export function StepUp() {
  const [options, setOptions] = useState<StepUpOptions>()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const close = (proved: boolean) => stepUpAsked.value?.answer(proved)
  const load = useAction(async () => {
    const { step_up } = await request<{ step_up: StepUpOptions }>('POST', `${PATH}/options`)
    setOptions(step_up)
  })
  useEffect(() => void load.run(), [])
  const prove = useAction(async (_key, proof: object) => {
    await request('POST', PATH, { body: { step_up: proof } })
    close(true)
  })
  const passkey = useAction(async () => {
    if (!options?.passkey) return
    const proof = { passkey: await usePasskey(options.passkey) }
    await prove.run(proof)
  })
  const error = load.error ?? passkey.error ?? prove.error
  const hasPasskey = options?.passkey != null && hasPasskeys()
  return (
    <Dialog
      title={t('step_up_title')}
      onClose={() => close(false)}
      footer={
        <>
          <Button kind="plain" onClick={() => close(false)}>
            {common('cancel')}
          </Button>
          <Button
            kind={hasPasskey ? 'quiet' : 'primary'}
            type="submit"
            form="step-up"
            busy={prove.busy}
            disabled={password === '' || (options?.code && code === '')}
          >
            {t('step_up_continue')}
          </Button>
        </>
      }
    >
      <p>{t('step_up_why')}</p>
      <ActionError error={error} explain={explain} />
      {!options && !load.error && <Skeleton rows={2} />}
      {hasPasskey && (
        <>
          <Button
            kind="primary"
            icon="fingerprint-pattern"
            busy={passkey.busy}
            onClick={() => void passkey.run()}
          >
            {t('step_up_passkey')}
          </Button>
          <p class="muted">{t('step_up_instead')}</p>
        </>
      )}
      {options && (
        <form
          id="step-up"
          class="dialog-form"
          onSubmit={(event) => {
            event.preventDefault()
            void prove.run({ password, ...(options.code && { code }) })
          }}
        >
          <AccountOfPassword />
          <TextField
            label={t('step_up_password')}
            type="password"
            autocomplete="current-password"
            autofocus={!hasPasskey}
            value={password}
            onInput={setPassword}
          />
          {options.code && (
            <TextField
              label={t('step_up_code')}
              hint={t('step_up_code_hint')}
              autocomplete="one-time-code"
              spellcheck={false}
              maxLength={40}
              value={code}
              onInput={setCode}
            />
          )}
        </form>
      )}
    </Dialog>
  )
}

function explain(error: RequestError): string {
  if (error.message.startsWith('step_up.password')) return t('wrong_password')
  if (error.message.startsWith('step_up.code')) return t('wrong_code')
  if (error.message.startsWith('step_up.passkey') || error.type === 'PASSKEY_REFUSED') {
    return t('passkey_refused')
  }
  return explainError(error)
}
