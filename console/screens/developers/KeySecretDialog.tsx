import type { SecretKey } from '../../../shared/schemas/secret-key.ts'
import { useInstance } from '../../address.ts'
import { t as common } from '../../shell/common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText, Snippet } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/States.tsx'
import { t } from './keys-words.ts'

/** The secret of a new key, which is shown once. A press beside the dialog does not close it. */
export function KeySecretDialog({ made, onClose }: { made: SecretKey; onClose: () => void }) {
  const { api } = useInstance()
  const { secret } = made
  const url = new URL(api('/whoami'), location.origin).href
  return (
    <Dialog
      title={t('new_secret_title')}
      onClose={onClose}
      keep
      footer={
        <Button kind="primary" onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      {secret === undefined ? (
        <Banner tone="bad">{t('answer_lost')}</Banner>
      ) : (
        <>
          <Banner tone="wait">{t('secret_once')}</Banner>
          <CopyText text={secret} />
          <Snippet label={t('env')} text={`CHECKSTAND_KEY=${secret}`} />
          <Snippet label={t('by_api')} text={`curl -u '${secret}:' ${url}`} />
        </>
      )}
    </Dialog>
  )
}
