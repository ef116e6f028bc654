import { useInstance } from '../../address.ts'
import { usePermission } from '../../shell/permissions.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { LinkAddress } from './LinkAddress.tsx'
import { HowItGoes, ShownToPayer } from './LinkFacts.tsx'
import { linkStatus } from './link-status.ts'
import { linkAmount, type ListedLink } from './listed-link.ts'
import { t } from './links-words.ts'

/** What one needs of a link beside the list: its address, how it goes, what the payer is shown. */
export function LinkPeek({ link }: { link: ListedLink }) {
  const instance = useInstance()
  const canWrite = usePermission('payment_links:write')
  const { tone, label } = linkStatus(link, link.payment?.status === 'UNRESOLVED')
  const { name, alt_key, default_alt_key } = link.options
  return (
    <>
      <header class="peek-head">
        <small class="mono muted">{alt_key ?? default_alt_key}</small>
        <h2>{name ?? t('no_name')}</h2>
      </header>
      <p class="link-amount">
        <b>{linkAmount(link, instance)}</b> <Pill tone={tone}>{label}</Pill>
      </p>
      <LinkAddress link={link} />
      <HowItGoes link={link} />
      <ShownToPayer link={link} />
      {canWrite && (
        <p class="peek-foot">
          {link.status === 'ACTIVE' && link.archived === null && (
            <ButtonLink icon="pencil" href={instance.screen(`/links/${link.id}/edit`)}>
              {t('edit')}
            </ButtonLink>
          )}
          <ButtonLink icon="copy" href={instance.screen(`/links/new?from=${link.id}`)}>
            {t('duplicate')}
          </ButtonLink>
        </p>
      )}
    </>
  )
}
