import { useInstance } from '../../address.ts'
import { TextField } from '../../ui/Field.tsx'
import { t } from './processors-words.ts'
import { keyProblem } from './stripe-keys.ts'

export interface StripeKeys {
  secret: string
  publishable: string
}

export const NO_KEYS: StripeKeys = { secret: '', publishable: '' }

/** Fields for the two keys of an account at Stripe. */
export function StripeKeyFields({
  keys,
  onChange,
}: {
  keys: StripeKeys
  onChange: (keys: StripeKeys) => void
}) {
  const { mode } = useInstance()
  const problem = (kind: 'secret' | 'public', key: string) => {
    const found = keyProblem(key, kind, mode)
    return found && t(found)
  }
  return (
    <>
      <TextField
        label={t('secret_key')}
        hint={t('secret_key_hint')}
        type="password"
        autocomplete="off"
        autofocus
        value={keys.secret}
        placeholder={mode === 'LIVE' ? 'rk_live_…' : 'rk_test_…'}
        error={problem('secret', keys.secret)}
        onInput={(typed) => onChange({ ...keys, secret: typed.trim() })}
      />
      <TextField
        label={t('publishable_key')}
        autocomplete="off"
        spellcheck={false}
        value={keys.publishable}
        placeholder={mode === 'LIVE' ? 'pk_live_…' : 'pk_test_…'}
        error={problem('public', keys.publishable)}
        onInput={(typed) => onChange({ ...keys, publishable: typed.trim() })}
      />
    </>
  )
}

/** Whether the keys can be sent. */
export const areKeysReady = ({ secret, publishable }: StripeKeys, mode: 'TEST' | 'LIVE'): boolean =>
  secret !== '' &&
  publishable !== '' &&
  !keyProblem(secret, 'secret', mode) &&
  !keyProblem(publishable, 'public', mode)
