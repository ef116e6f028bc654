import { useState } from 'preact/hooks'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { saveFile } from '../../api/download.ts'
import { Button } from '../../ui/Button.tsx'
import { Section, Snippet } from '../../ui/Details.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { embedTestPage } from './embed-test-page.ts'
import { InstanceForm } from './InstanceForm.tsx'
import { t } from './settings-words.ts'

/** The sites that may show the page within theirs, and what they put there. */
export function EmbeddingSettings() {
  // As it is typed: a line that has just begun is no origin yet.
  const [typed, setTyped] = useState<string>()
  return (
    <>
      <InstanceForm>
        {({ allowed_origins: origins }, change, disabled) => (
          <TextArea
            label={t('embedding')}
            hint={t('embedding_hint')}
            value={typed ?? origins.join('\n')}
            rows={5}
            disabled={disabled}
            onInput={(text) => {
              setTyped(text)
              change({ allowed_origins: text.split(/\s+/).filter(Boolean) })
            }}
          />
        )}
      </InstanceForm>
      <EmbedCode />
    </>
  )
}

/** The code of a page that shows the newest link which can be paid. */
function EmbedCode() {
  const { api } = useInstance()
  const { data } = useResource<{ payment_links: PaymentLink[] }>(
    api('/payment_links?limit=1&criteria=status=ACTIVE'),
  )
  const [link] = data?.payment_links ?? []
  if (!link) return null
  const { origin } = new URL(link.url)
  return (
    <Section title={t('embed_code')}>
      <p class="muted">{t('embed_code_hint')}</p>
      <Snippet
        label="HTML"
        text={`<script async src="${origin}/widget.js"></script>\n<checkstand-checkout link="${link.id}"></checkstand-checkout>`}
      />
      <p class="muted">{t('embed_test_hint')}</p>
      <Button
        icon="download"
        onClick={() =>
          saveFile(
            'checkstand-test.html',
            new Blob([embedTestPage({ origin, link: link.id })], { type: 'text/html' }),
          )
        }
      >
        {t('embed_test_save')}
      </Button>
    </Section>
  )
}
