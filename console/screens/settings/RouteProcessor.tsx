import type { ProcessorRecord } from '../../../shared/schemas/processor.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { SelectField } from '../../ui/Field.tsx'
import { t } from './routes-words.ts'

/** The account at a processor that the legal entity settles with; nothing while there is no choice. */
export function RouteProcessor({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}) {
  const { api } = useInstance()
  const { data } = useResource<{ processors: ProcessorRecord[] }>(api('/processors?limit=100'))
  const choices =
    data?.processors.filter(({ id, status }) => status !== 'DISABLED' || id === value) ?? []
  if (choices.length === 0) return null
  return (
    <SelectField
      label={t('processor')}
      hint={t('processor_hint')}
      value={value}
      options={[
        { value: '', label: t('any_processor') },
        ...choices.map(({ id, name, account, key_hint: hint }) => ({
          value: id,
          label: `${name === 'stripe' ? 'Stripe' : name} ${account ?? hint}`,
        })),
      ]}
      onChange={onChange}
    />
  )
}
