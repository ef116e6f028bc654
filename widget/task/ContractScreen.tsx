import type { DeepLinkTask } from '../../shared/schemas/deep-link-task.ts'
import { dateText, rhythmText } from '../../shared/rules/recurring-text.ts'
import { Spinner } from '../ui/icons.tsx'
import { Merchant } from '../page/components/Merchant.tsx'
import { LateNotice, NoticeRegion } from '../page/components/Notices.tsx'
import { Price } from '../page/components/Price.tsx'
import { MethodLine } from './MethodLine.tsx'
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
      {contract && <Terms contract={contract} />}
      <LateNotice />
      <NoticeRegion />
      {!contract && <Opening />}
      {contract &&
        (question === null ? (
          <>
            <Choices {...contract} />
            <ReturnLink />
          </>
        ) : (
          <Confirm question={question} />
        ))}
    </section>
  )
}

/** Nothing of the contract is known before the session is open. */
function Opening() {
  const { actions, store, t } = useTask()
  if (store.step.value === 'opening') {
    return (
      <div class="status-icon opening">
        <Spinner />
      </div>
    )
  }
  return (
    <div class="actions">
      <BusyButton text={t('methods.fields_retry')} onClick={() => void actions.open()} />
    </div>
  )
}

const STATES = {
  ACTIVE: 'tasks.active',
  PAUSED: 'tasks.paused',
  ENDED: 'tasks.ended',
  CANCELLED: 'tasks.ended',
} as const

function Terms({ contract }: { contract: Contract }) {
  const { checkout, formatMoney, language, t } = useTask()
  const { next_due, payment_method, status } = contract
  const zone = checkout.checkout.value.timezone ?? undefined
  return (
    <>
      <Price text={formatMoney(contract)} />
      <p class="text lead rhythm">{rhythmText(t, contract)}</p>
      <dl class="rows">
        <Row name={t('tasks.status')}>{t(STATES[status])}</Row>
        {next_due !== null && (
          <Row name={t('receipt.next_due')}>{dateText(next_due, language, zone)}</Row>
        )}
        {payment_method && (
          <Row name={t('receipt.method')}>
            <MethodLine method={payment_method} />
          </Row>
        )}
      </dl>
    </>
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

function Choices({ status }: Contract) {
  const { actions, checkout, store, t } = useTask()
  const allow = new Set(store.task.value?.allow)
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
        <button type="button" class="button secondary" id="ask-PAUSE" onClick={() => ask('PAUSE')}>
          {t('tasks.pause')}
        </button>
      )}
      {allow.has('PAUSE') && status === 'PAUSED' && (
        <BusyButton
          secondary
          text={t('tasks.resume')}
          onClick={() => void actions.change('RESUME')}
        />
      )}
      {allow.has('CANCEL') && (
        <button
          type="button"
          class="button secondary"
          id="ask-CANCEL"
          onClick={() => ask('CANCEL')}
        >
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
      <p class="text lead" id="task-question" tabIndex={-1}>
        {t(text, { merchant })}
      </p>
      <BusyButton text={t(button)} onClick={() => void actions.change(question)} />
      <button type="button" class="button secondary" onClick={() => (store.question.value = null)}>
        {t('tasks.keep')}
      </button>
    </div>
  )
}

/** A button that shows when the server is at work, and keeps the focus meanwhile. */
export function BusyButton(props: { text: string; onClick: () => void; secondary?: boolean }) {
  const { store } = useTask()
  const busy = store.busy.value
  return (
    <button
      type="button"
      class={props.secondary ? 'button secondary' : 'button'}
      aria-disabled={busy ? 'true' : undefined}
      onClick={props.onClick}
    >
      {busy && <Spinner />}
      <span>{props.text}</span>
    </button>
  )
}
