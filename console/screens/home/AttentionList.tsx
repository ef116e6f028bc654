import { ATTENTION_SCREENS } from '../../attention-screens.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import type { Attention, AttentionKind } from '../../../shared/schemas/attention.ts'
import type { Reversal } from '../../../shared/schemas/reversal.ts'
import { useAttention } from '../../shell/attention.ts'
import { Icon } from '../../ui/Icon.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { Section } from '../../ui/Details.tsx'
import { t } from './home-words.ts'
import { countText } from '../../ui/count-text.ts'

/** What somebody has to look at, each with the list that shows it. */
export function AttentionList() {
  const { data, error, reload } = useAttention()
  if (!data) {
    return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton rows={2} />
  }
  const kinds = (Object.keys(ATTENTION_SCREENS) as AttentionKind[]).filter(
    (kind) => (data.attention[kind]?.count ?? 0) > 0,
  )
  if (kinds.length === 0) {
    return (
      <p class="home-well">
        <Icon name="circle-check" /> {t('all_well')}
      </p>
    )
  }
  return (
    <Section title={t('attention')}>
      <ul class="attention">
        {kinds.map((kind) => (
          <Row key={kind} kind={kind} needed={data.attention[kind]} />
        ))}
      </ul>
    </Section>
  )
}

/** A count that went no further. */
const COUNT_MAX = 1000

function Row({ kind, needed }: { kind: AttentionKind; needed: Attention[AttentionKind] }) {
  const { screen } = useInstance()
  const { icon, tone, href } = ATTENTION_SCREENS[kind]
  const count = needed?.count ?? 0
  const shown = count >= COUNT_MAX ? t('at_most', { count: countText(COUNT_MAX) }) : count
  const text = t(`kind_${kind}`, { count, shown })
  const list = needed?.list ?? ''
  return (
    <li class={tone}>
      <Icon name={icon} />
      {kind === 'open_disputes' ? (
        <span>
          {text} <Disputed list={list} />
        </span>
      ) : (
        <a href={screen(href(new URLSearchParams(list.split('?')[1])))}>{text}</a>
      )}
    </li>
  )
}

type ListedReversal = Omit<Reversal, 'payment'> & { payment: string }

/** Disputes have no list in the console: each is shown at its payment. */
function Disputed({ list }: { list: string }) {
  const { api, screen } = useInstance()
  const { data } = useResource<{ reversals: ListedReversal[] }>(api(`${list}&limit=5`))
  return (
    <span class="disputed">
      {data?.reversals.map(({ id, payment, amount, currency }) => (
        <a key={id} href={screen(`/payments/${payment}`)}>
          {t('see_disputed', { amount: formatMoney(amount, currency) })}
        </a>
      ))}
    </span>
  )
}
