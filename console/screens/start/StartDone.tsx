import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { LinkAddress } from '../links/LinkAddress.tsx'
import { t } from '../links/links-words.ts'
import { StartFrame } from './StartFrame.tsx'

/** The first link, with everything to share it, and what may come next. */
export function StartDone({ link, copied }: { link: PaymentLink; copied: boolean }) {
  const { screen, mode } = useInstance()
  return (
    <StartFrame>
      <h1 tabIndex={-1} id="screen-title">
        {t('start_done')}
      </h1>
      <p>{t(copied ? 'start_done_copied' : 'start_done_select')}</p>
      <LinkAddress link={link} />
      <ButtonLink kind="primary" icon="external-link" href={link.url} target="_blank">
        {t('start_pay')}
      </ButtonLink>
      {mode === 'TEST' && <p class="muted">{t('start_card')}</p>}
      <h2>{t('start_next')}</h2>
      <ul class="start-next">
        <li>
          <a href={screen('/links')}>{t('start_next_links')}</a>
        </li>
        <li>
          <a href={screen('/look')}>{t('start_next_look')}</a>
        </li>
        <li>
          <a href={screen('/wording')}>{t('start_next_wording')}</a>
        </li>
        <li>
          <a href={screen('/developers/keys')}>{t('start_next_key')}</a>
        </li>
        <li>
          <a href={screen('/developers/webhooks')}>{t('start_next_webhook')}</a>
        </li>
      </ul>
    </StartFrame>
  )
}
