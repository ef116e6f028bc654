import { useInstance } from '../../address.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { t } from './payments-words.ts'

/** Leads from one kind of money movement to the others. */
export function PaymentKinds({
  current,
}: {
  current: 'payments' | 'refunds' | 'captures' | 'voids'
}) {
  const { screen } = useInstance()
  return (
    <>
      {(['payments', 'refunds', 'captures', 'voids'] as const)
        .filter((kind) => kind !== current)
        .map((kind) => (
          <ButtonLink key={kind} href={screen(`/${kind}`)}>
            {t(kind)}
          </ButtonLink>
        ))}
    </>
  )
}
