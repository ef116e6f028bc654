import { t as common } from '../../shell/common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/States.tsx'
import { t } from './developers-words.ts'

/** A secret that is shown once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('new_secret_title')}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      <Banner tone="wait">{t('secret_once')}</Banner>
      <CopyText text={secret} />
      <p>{t('verify')}</p>
      <pre class="snippet" tabIndex={0}>
        {`import { Webhook } from 'standardwebhooks'\n\nnew Webhook(process.env.WEBHOOK_SECRET).verify(body, headers)`}
      </pre>
    </Dialog>
  )
}
