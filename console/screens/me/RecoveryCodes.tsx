import { Button, ButtonLink } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Banner } from '../../ui/States.tsx'
import { t as common } from '../../shell/common-words.ts'
import { t } from './factors-words.ts'

/** New recovery codes, which are shown once. A press beside the dialog does not close it. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      title={t('codes_title')}
      onClose={onClose}
      keep
      footer={
        <>
          <Button icon="copy" onClick={() => void copyText(text)}>
            {common('copy')}
          </Button>
          <ButtonLink
            icon="download"
            href={`data:text/plain,${encodeURIComponent(text)}`}
            download="checkstand-recovery-codes.txt"
          >
            {t('codes_download')}
          </ButtonLink>
          <Button kind="primary" onClick={onClose}>
            {t('codes_keep')}
          </Button>
        </>
      }
    >
      <Banner tone="wait">{t('codes_once')}</Banner>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
