import { useLocation, useRoute } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type { Account } from '../../../shared/schemas/account.ts'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import type { PaymentMethod } from '../../../shared/schemas/payment-method.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import type { Payment } from '../../../shared/schemas/payment.ts'
import type { Refund } from '../../../shared/schemas/refund.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import type { ListMeta } from '../../api/lists.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { listQuery } from '../../../shared/list-query.ts'
import { usePermission } from '../../shell/permissions.ts'
import { isLetter } from '../../shell/shortcuts.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { CopyText, KeyValue, Section } from '../../ui/Details.tsx'
import { minorOf } from '../../ui/amounts.ts'
import { Keys } from '../../ui/Keys.tsx'
import { Json } from '../../ui/Json.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ActionError, Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { toast } from '../../ui/toast.ts'
import { customerText } from '../customers/customer-name.tsx'
import { Timeline, useTimeline } from '../timeline/Timeline.tsx'
import { CaptureDialog, VoidDialog } from './CaptureDialog.tsx'
import { paymentStatus, refundStatus } from './payment-status.ts'
import { t } from './payments-words.ts'
import { RefundDialog } from './RefundDialog.tsx'
import './payments.css'

type FullPayment = Omit<Payment, 'account' | 'payment_method' | 'legal_entity'> & {
  account: Account | null
  payment_method: PaymentMethod | null
  legal_entity: LegalEntityRecord | null
}

/** One payment: what happened, and what can be done. `?do=refund` opens a dialog. */
export function PaymentScreen() {
  const instance = useInstance()
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const read = useResource<{ payment: FullPayment }>(
    instance.api(`/payments/${encodeURIComponent(id)}?expand=account,payment_method,legal_entity`),
  )
  const payment = read.data?.payment
  if (!payment) {
    return read.error ? (
      <ErrorPanel isScreen error={read.error} retry={read.reload} />
    ) : (
      <Skeleton />
    )
  }
  return <PaymentDetails payment={payment} />
}

function PaymentDetails({ payment }: { payment: FullPayment }) {
  const instance = useInstance()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('payments:write')
  const { currency, account, payment_method: method } = payment
  const refundable = payment.refundable_amount !== null && minorOf(payment.refundable_amount) > 0
  const open = payment.open_amount !== null && minorOf(payment.open_amount) > 0
  const dialogs = {
    refund: canWrite && refundable && payment.status === 'SUCCESS',
    capture: canWrite && open && payment.status === 'SUCCESS',
    void: canWrite && open && payment.status === 'SUCCESS',
  }
  const show = (name: string) => route(`${path}?do=${name}`, true)
  const close = () => route(path, true)
  useEffect(() => {
    const letters: Record<string, keyof typeof dialogs> = { R: 'refund', T: 'capture', V: 'void' }
    const press = (event: KeyboardEvent) => {
      const letter = event.key.toUpperCase()
      const name = letters[letter]
      if ((letter === 'J' || letter === 'K') && isLetter(event)) {
        event.preventDefault()
        void move.run(letter === 'J')
      }
      // A letter opens a dialog; it never moves money.
      if (name && dialogs[name] && isLetter(event)) {
        event.preventDefault()
        show(name)
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const plain = payment as unknown as Payment
  const who = account ? customerText(account) : t('the_payer')
  const { tone, label } = paymentStatus(payment)
  const happened = useTimeline(payment.id).data?.timeline ?? []
  const checkout = happened.find(({ kind }) => kind === 'checkout')?.ids['checkout']
  const tried = happened.find(
    ({ kind, ids }) => kind === 'payment' && ids['payment'] === payment.id,
  )
  const methodText = method?.label ?? cardText(tried?.values)
  const move = useAction(async (_key, isOlder: boolean) => {
    const query = listQuery({
      criteria: `created${isOlder ? '<' : '>'}${payment.created}`,
      order: isOlder ? 'created:desc' : 'created',
      limit: 1,
    })
    const found = await request<{ payments: Payment[] }>('GET', instance.api(`/payments?${query}`))
    const [next] = found.payments
    if (next) route(instance.screen(`/payments/${next.id}`))
    else toast(t(isOlder ? 'no_older' : 'no_newer'))
  })
  return (
    <div class="payment-screen">
      <ScreenHead
        title={formatMoney(payment.amount, currency)}
        back={{ label: t('payments'), href: instance.screen('/payments') }}
      >
        <span class="list-keys">
          <Keys keys="J" /> <Keys keys="K" /> {t('key_neighbours')}
        </span>
        {payment.status === 'SUCCESS' && <ReceiptLink payment={plain} to={account?.email ?? ''} />}
        {dialogs.void && (
          <Button keys="V" onClick={() => show('void')}>
            {t('void')}
          </Button>
        )}
        {dialogs.capture && (
          <Button keys="T" onClick={() => show('capture')}>
            {t('capture')}
          </Button>
        )}
        {dialogs.refund && (
          <Button icon="undo-2" keys="R" onClick={() => show('refund')}>
            {t('refund')}
          </Button>
        )}
      </ScreenHead>
      <div class="payment-columns">
        <div>
          <p class="payment-lead">
            <Pill tone={tone}>{label}</Pill>{' '}
            {t('paid_by', { what: payment.description ?? payment.alt_key ?? t('payment'), who })}
            {methodText !== undefined && ` · ${methodText}`}
          </p>
          <CheckPanel payment={plain} canCheck={canWrite} />
          {payment.surplus && <Banner tone="wait">{t('surplus')}</Banner>}
          {payment.risk_review && <Banner tone="wait">{t('risk')}</Banner>}
          {payment.gateway_message && payment.status === 'DECLINE' && (
            <Banner tone="bad">{t('outcome_declined', { reason: payment.gateway_message })}</Banner>
          )}
          <Timeline of={payment.id} />
          <RefundTable payment={plain} />
          {method?.consent.given && method.consent.text !== null && (
            <Section title={t('consent')}>
              <blockquote lang={method.consent.language ?? undefined}>
                {method.consent.text}
              </blockquote>
              <p class="muted">
                {method.consent.at && formatTime(method.consent.at, instance.timezone)}
                {checkout !== undefined && (
                  <>
                    {' · '}
                    <a href={instance.screen(`/checkouts/${checkout}`)}>{t('see_page')}</a>
                  </>
                )}
              </p>
            </Section>
          )}
        </div>
        <div>
          <RefundedBar payment={plain} />
          <Section title={t('payment')}>
            <KeyValue
              rows={[
                [t('reference'), <code>{payment.reference}</code>],
                [t('your_key'), payment.alt_key ?? '–'],
                payment.captured_amount !== null && [
                  t('captured'),
                  formatMoney(payment.captured_amount, currency),
                ],
                payment.open_amount !== null && [
                  t('can_be_captured'),
                  formatMoney(payment.open_amount, currency),
                ],
                payment.refunded_amount !== null && [
                  t('refunded'),
                  formatMoney(payment.refunded_amount, currency),
                ],
                payment.refundable_amount !== null && [
                  t('can_be_refunded'),
                  formatMoney(payment.refundable_amount, currency),
                ],
                payment.disputed_amount !== null &&
                  minorOf(payment.disputed_amount) > 0 && [
                    t('disputed'),
                    formatMoney(payment.disputed_amount, currency),
                  ],
                payment.fee_amount !== null &&
                  payment.fee_currency !== null && [
                    t('fee'),
                    formatMoney(payment.fee_amount, payment.fee_currency),
                  ],
                payment.processed !== null && [
                  t('processed'),
                  formatTime(payment.processed, instance.timezone),
                ],
                payment.due !== null && [t('due'), formatTime(payment.due, instance.timezone)],
                [t('comment'), payment.payer_comment ?? '–'],
                [t('channel'), payment.channel ?? '–'],
                payment.legal_entity && [t('legal_entity'), payment.legal_entity.legal_name],
              ]}
            />
          </Section>
          <Section title={t('method')}>
            <KeyValue
              rows={[
                [t('method'), methodText ?? '–'],
                method?.card?.exp_month != null && [
                  t('card_ends'),
                  `${method.card.exp_month} / ${method.card.exp_year}`,
                ],
                method && [
                  t('method_saved'),
                  t(method.consent.given ? 'saved_consent' : 'saved_plain'),
                ],
                payment.three_ds && [
                  t('three_ds'),
                  [
                    t(`three_ds_${payment.three_ds.status}`),
                    payment.three_ds.liability_shift && t('liability'),
                  ]
                    .filter(Boolean)
                    .join(', '),
                ],
              ]}
            />
          </Section>
          <Section title={t('belongs_to')}>
            <ul class="related">
              {account && (
                <li>
                  <a href={instance.screen(`/customers/${account.id}`)}>{customerText(account)}</a>
                </li>
              )}
              {payment.payment_link && (
                <li>
                  <a href={instance.screen(`/links/${payment.payment_link}`)}>{t('link')}</a>
                </li>
              )}
              {checkout !== undefined && (
                <li>
                  <a href={instance.screen(`/checkouts/${checkout}`)}>{t('checkout')}</a>
                </li>
              )}
              {payment.parts.map(({ charge, amount }) => {
                const chargeId = typeof charge === 'string' ? charge : charge.id
                return (
                  <li key={chargeId}>
                    <a href={instance.screen(`/charges/${chargeId}`)}>
                      {t('charge_parts')}: {formatMoney(amount, currency)}
                    </a>
                  </li>
                )
              })}
            </ul>
          </Section>
          <Section title={t('developers')}>
            <CopyText text={payment.id} />
            {payment.gateway_reference && <CopyText text={payment.gateway_reference} />}
            <Json record={payment} />
          </Section>
        </div>
      </div>
      {query['do'] === 'refund' && dialogs.refund && (
        <RefundDialog payment={plain} payer={who} onClose={close} />
      )}
      {query['do'] === 'capture' && dialogs.capture && (
        <CaptureDialog payment={plain} onClose={close} />
      )}
      {query['do'] === 'void' && dialogs.void && <VoidDialog payment={plain} onClose={close} />}
    </div>
  )
}

/** The card of a payment that stored none, as the timeline names it. */
function cardText(values: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { brand, last4 } = values ?? {}
  if (typeof last4 !== 'string') return undefined
  return `${typeof brand === 'string' ? brand : t('card')} •••• ${last4}`
}

/** How much of a payment was given back. */
function RefundedBar({ payment }: { payment: Payment }) {
  const { refunded_amount: refunded, refundable_amount: refundable, currency } = payment
  if (refunded === null || refundable === null || minorOf(refunded) === 0) return null
  const max = minorOf(refunded) + minorOf(refundable)
  return (
    <div class="refunded-bar">
      <span>
        {t('refunded')} <b class="number">{formatMoney(refunded, currency)}</b>
      </span>
      <span>
        {t('can_be_refunded')} <b class="number">{formatMoney(refundable, currency)}</b>
      </span>
      <meter min={0} max={max} value={minorOf(refunded)} aria-label={t('refunded')} />
    </div>
  )
}

/** Opens a mail to the payer with what was paid, in the mail program of whoever presses it. */
function ReceiptLink({ payment, to }: { payment: Payment; to: string }) {
  const { api, name, timezone } = useInstance()
  const linkId = payment.payment_link
  const link = useResource<{ payment_link: PaymentLink }>(
    linkId === null ? null : api(`/payment_links/${linkId}`),
  ).data?.payment_link
  const amount = formatMoney(payment.amount, payment.currency)
  const lines = [
    payment.description ?? payment.alt_key ?? name,
    amount,
    `${t('reference')}: ${payment.reference}`,
    formatTime(payment.processed ?? payment.created, timezone),
    link?.url,
  ]
  const subject = encodeURIComponent(t('receipt_subject', { amount, shop: name }))
  const body = encodeURIComponent(lines.filter(Boolean).join('\n'))
  return (
    <ButtonLink
      icon="mail"
      href={`mailto:${encodeURIComponent(to)}?subject=${subject}&body=${body}`}
    >
      {t('send_receipt')}
    </ButtonLink>
  )
}

/** An outcome that is not known, or that the processor decides later, with a way to ask at once. */
function CheckPanel({ payment, canCheck }: { payment: Payment; canCheck: boolean }) {
  const { api } = useInstance()
  const check = useAction(async (key) => {
    const path = api(`/payments/${payment.id}`)
    const answer = await request<{ payment: Payment }>('POST', `${path}/check`, { key, body: {} })
    invalidate((one) => one.startsWith(api('/payments')) || one.startsWith(api('/refunds')))
    toast(t(answer.payment.status === payment.status ? 'check_same' : 'check_done'))
  })
  if (payment.status !== 'UNRESOLVED' && payment.status !== 'PENDING') return null
  return (
    <>
      <ActionError error={check.error} />
      <Banner tone={payment.status === 'UNRESOLVED' ? 'ask' : 'wait'}>
        {t(payment.status === 'UNRESOLVED' ? 'checking_panel' : 'pending_panel')}{' '}
        {canCheck && (
          <Button icon="refresh-cw" busy={check.busy} onClick={() => void check.run()}>
            {t('check_now')}
          </Button>
        )}
      </Banner>
    </>
  )
}

function RefundTable({ payment }: { payment: Payment }) {
  const instance = useInstance()
  const query = listQuery({ criteria: `payment=${payment.id}`, limit: 50 })
  const { data, error, reload } = useResource<{ refunds: Refund[]; meta: ListMeta }>(
    instance.api(`/refunds?${query}`),
  )
  if (error && !data) return <ErrorPanel error={error} retry={reload} />
  return (
    <Section title={t('refunds')}>
      {data?.refunds.length ? (
        <table class="plain-table">
          <tbody>
            {data.refunds.map(({ id, reference, reason, status, amount, currency }) => (
              <tr key={id}>
                <td>
                  <code>{reference}</code>
                </td>
                <td>{reason ?? ''}</td>
                <td>
                  <Pill tone={refundStatus(status).tone}>{refundStatus(status).label}</Pill>
                </td>
                <td class="number">{formatMoney(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p class="muted">{t('no_refunds')}</p>
      )}
    </Section>
  )
}
