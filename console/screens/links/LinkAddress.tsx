import { useState } from 'preact/hooks'
import { t as common } from '../../shell/common-words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { copyText } from '../../ui/Details.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { ListedLink } from './listed-link.ts'
import { t } from './links-words.ts'
import './links.css'

/** The address with everything to share it. */
export function LinkAddress({ link }: { link: Pick<ListedLink, 'url' | 'id'> }) {
  const [embedding, setEmbedding] = useState(false)
  const qr = `${new URL(link.url).pathname}/qr.svg`
  return (
    <>
      <div class="link-address">
        <input
          readOnly
          aria-label={t('url')}
          value={link.url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button kind="primary" icon="copy" keys="C" onClick={() => void copyText(link.url)}>
          {common('copy')}
        </Button>
      </div>
      <div class="link-share">
        <img src={qr} alt={t('qr')} width={116} height={116} />
        <ul>
          <li>
            <ButtonLink kind="plain" icon="qr-code" href={qr} download={`${link.id}.svg`}>
              {t('qr')}
            </ButtonLink>
          </li>
          <li>
            <ButtonLink kind="plain" icon="external-link" href={link.url} target="_blank">
              {t('open_as_payer')}
            </ButtonLink>
          </li>
          <li>
            <Button kind="plain" icon="code-xml" onClick={() => setEmbedding(true)}>
              {t('embed')}
            </Button>
          </li>
          {'share' in navigator && (
            <li>
              <Button
                kind="plain"
                icon="share-2"
                onClick={() => void navigator.share({ url: link.url }).catch(() => {})}
              >
                {t('share')}
              </Button>
            </li>
          )}
        </ul>
      </div>
      {embedding && <EmbedDialog id={link.id} url={link.url} onClose={() => setEmbedding(false)} />}
    </>
  )
}

function EmbedDialog({ id, url, onClose }: { id: string; url: string; onClose: () => void }) {
  const { origin } = new URL(url)
  const snippet = `<script async src="${origin}/widget.js"></script>\n<checkstand-checkout link="${id}"></checkstand-checkout>`
  return (
    <Dialog title={t('embed')} onClose={onClose} wide>
      <p>{t('embed_explain')}</p>
      <pre tabIndex={0} class="snippet">
        {snippet}
      </pre>
      <Button icon="copy" onClick={() => void copyText(snippet)}>
        {common('copy')}
      </Button>
    </Dialog>
  )
}
