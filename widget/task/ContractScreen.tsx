import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'
import { intlLanguage } from '../../shared/rules/wording.ts'
import { Spinner } from '../ui/icons.tsx'
import { Merchant } from '../page/components/Merchant.tsx'
import { NoticeRegion } from '../page/components/Notices.tsx'
import { BrandMark } from '../page/methods/BrandMark.tsx'
import { methodName } from '../page/methods/method-name.ts'
import { useTask } from './task-context.ts'
import type { Question } from './task-store.ts'

type Contract = NonNullable<DeepLinkTask['contract']>

/** A contract of the customer, and what they may do with it. */
export function ContractScreen() {
  const { store, t } = useTask()
  const contract = store.task.value?.contract
  const question = store.question.value
  return (
    <section class="status-card" aria-labelledby="task-title">
      <Merchant />
      <h1 id="task-title" tabIndex={-1}>
        {contract?.description ?? t('tasks.title_contract')}
      </h1>
      <NoticeRegion />
      {contract ? (
        <>
          <Terms contract={contract} />
          {question === null ? <Choices contract={contract} /> : <Confirm question={question} />}
          {question === null && <ReturnLink />}
        </>
      ) : (
        <div class="status-icon">
          <Spinner />
        </div>
      )}
    </section>
  )
}

const UNITS = { DAY: 'day', WEEK: 'week', MONTH: 'month', YEAR: 'year' } as const
const STATES = {
  ACTIVE: 'tasks.active',
  PAUSED: 'tasks.paused',
  ENDED: 'tasks.ended',
  CANCELLED: 'tasks.ended',
} as const

function Terms({ contract }: { contract: Contract }) {
  const { checkout, formatMoney, language, t } = useTask()
  const { frequency, interval, next_due, status } = contract
  const locale = intlLanguage(language)
  const every = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[frequency],
    unitDisplay: 'long',
  }).format(interval)
  const { timezone } = checkout.checkout.value
  const date = (iso: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'long',
      ...(timezone !== null && { timeZone: timezone }),
    }).format(new Date(iso))
  return (
    <dl class="rows">
      <Row name={t('checkout.amount')}>{formatMoney(contract)}</Row>
      <Row name={t('tasks.interval')}>{every}</Row>
      <Row name={t('tasks.status')}>{t(STATES[status])}</Row>
      {next_due !== null && <Row name={t('tasks.next_due')}>{date(next_due)}</Row>}
      <Row name={t('receipt.method')}>
        <Method method={contract.payment_method} />
      </Row>
    </dl>
  )
}

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Method({ method }: { method: Contract['payment_method'] }) {
  const { t } = useTask()
  if (!method) return <>–</>
  const { type, brand, last4, expired } = method
  return (
    <span class="method-line">
      {type === 'CARD' && <BrandMark brand={brand} />}
      <span>
        {type !== 'CARD' && methodName(type, t)} {last4 && <bdi>•••• {last4}</bdi>}
        {expired && <span class="expired"> ({t('tasks.expired')})</span>}
      </span>
    </span>
  )
}

function Choices({ contract }: { contract: Contract }) {
  const { actions, checkout, store, t } = useTask()
  const allow = new Set(store.task.value?.allow)
  const { status } = contract
  const isOver = status === 'ENDED' || status === 'CANCELLED'
  if (isOver || allow.size === 0) return null
  const ask = (question: Question) => {
    checkout.notice.value = null
    store.question.value = question
  }
  return (
    <div class="actions">
      {allow.has('PAYMENT_METHOD') && (
        <button type="button" class="button" onClick={() => (store.editing.value = true)}>
          {t('tasks.change')}
        </button>
      )}
      {allow.has('PAUSE') && status === 'ACTIVE' && (
        <button type="button" class="button secondary" onClick={() => ask('PAUSE')}>
          {t('tasks.pause')}
        </button>
      )}
      {allow.has('PAUSE') && status === 'PAUSED' && (
        <button
          type="button"
          class="button secondary"
          onClick={() => void actions.change('RESUME')}
        >
          {t('tasks.resume')}
        </button>
      )}
      {allow.has('CANCEL') && (
        <button type="button" class="button secondary" onClick={() => ask('CANCEL')}>
          {t('tasks.cancel')}
        </button>
      )}
    </div>
  )
}

function ReturnLink() {
  const { merchant, store, t } = useTask()
  const url = store.task.value?.return_url
  if (url == null) return null
  return (
    <div class="actions">
      <a class="button secondary" href={url}>
        {t('receipt.back', { merchant })}
      </a>
    </div>
  )
}

/** Nothing is changed before the customer has confirmed it. */
function Confirm({ question }: { question: Question }) {
  const { actions, merchant, store, t } = useTask()
  const [text, button] =
    question === 'CANCEL'
      ? (['tasks.cancel_question', 'tasks.cancel'] as const)
      : (['tasks.pause_question', 'tasks.pause'] as const)
  return (
    <div class="actions" role="group" aria-labelledby="task-question">
      <p class="text lead" id="task-question">
        {t(text, { merchant })}
      </p>
      <button
        type="button"
        class="button"
        aria-disabled={store.busy.value ? 'true' : undefined}
        onClick={() => void actions.change(question)}
      >
        {store.busy.value && <Spinner />}
        <span>{t(button)}</span>
      </button>
      <button type="button" class="button secondary" onClick={() => (store.question.value = null)}>
        {t('tasks.keep')}
      </button>
    </div>
  )
}
