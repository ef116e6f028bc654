import { useInstance } from '../../address.ts'
import { KeyValue } from '../../ui/Details.tsx'
import { Ago, formatTime } from '../../ui/Time.tsx'
import { customerText } from '../customers/customer-name.tsx'
import { type ShownDeepLink, usesText } from './deep-link-status.ts'
import { t } from './deep-links-words.ts'

/** How often a deep link was used, until when it can be, and what it is about. */
export function DeepLinkDetails({ link }: { link: ShownDeepLink }) {
  const { screen, timezone } = useInstance()
  const { account, contract, charges, allow, last_use: last, options } = link
  const contractId = typeof contract === 'string' ? contract : contract?.id
  return (
    <KeyValue
      rows={[
        [t('used'), usesText(link)],
        link.reserved_uses > 0 && [t('under_way'), link.reserved_uses],
        [
          t('last_used'),
          link.last_used === null ? t('never') : <Ago key="last" at={link.last_used} />,
        ],
        last !== null && [t('last_done'), t(`done_${last.done}`)],
        [t('ends'), link.expires === null ? t('ends_never') : formatTime(link.expires, timezone)],
        account && [
          t('customer'),
          <a key="account" href={screen(`/customers/${account.id}`)}>
            {customerText(account)}
          </a>,
        ],
        contractId !== undefined && [
          t('contract'),
          <a key="contract" href={screen(`/contracts/${contractId}`)}>
            <code>{contractId}</code>
          </a>,
        ],
        link.action === 'PAY_CHARGES' && [
          t('charges'),
          charges === null
            ? t('all_charges')
            : charges.map((charge) => {
                const id = typeof charge === 'string' ? charge : charge.id
                return (
                  <a key={id} href={screen(`/charges/${id}`)}>
                    <code>{id}</code>{' '}
                  </a>
                )
              }),
        ],
        link.action === 'MANAGE_CONTRACT' && [
          t('allow'),
          allow === null ? t('allow_nothing') : allow.map((one) => t(`allow_${one}`)).join(', '),
        ],
        options.page_intro != null && [t('words_above'), options.page_intro],
        options.success_url != null && [t('back_to'), options.success_url],
        options.channel != null && [t('channel'), options.channel],
        [t('created'), formatTime(link.created, timezone)],
        link.archived !== null && [t('status_ARCHIVED'), formatTime(link.archived, timezone)],
      ]}
    />
  )
}
