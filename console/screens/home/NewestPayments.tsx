import type { Account } from '../../../shared/schemas/account.ts'
import type { Payment } from '../../../shared/schemas/payment.ts'
import { useInstance } from '../../address.ts'
import { Section } from '../../ui/Details.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Ago } from '../../ui/Time.tsx'
import { customerName } from '../customers/customer-name.tsx'
import { paymentStatus } from '../payments/payment-status.ts'
import { t } from './home-words.ts'

export type ListedPayment = Omit<Payment, 'account'> & { account: Account | null }

/** The last payments. */
export function NewestPayments({ payments }: { payments: readonly ListedPayment[] }) {
  const { screen } = useInstance()
  return (
    <Section title={t('newest')} aside={<a href={screen('/payments')}>{t('see_all')}</a>}>
      <ul class="newest">
        {payments.map((payment) => {
          const { tone, label } = paymentStatus(payment)
          return (
            <li key={payment.id}>
              <a href={screen(`/payments/${payment.id}`)} class="number">
                {formatMoney(payment.amount, payment.currency)}
              </a>
              <span class="newest-status">
                <Pill tone={tone}>{label}</Pill>
              </span>
              <span class="newest-what">
                {payment.account
                  ? customerName(payment.account)
                  : (payment.description ?? payment.alt_key ?? payment.reference)}
              </span>
              <Ago at={payment.created} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
