import { TextArea } from '../../ui/Field.tsx'
import { t } from './keys-words.ts'

/** The addresses from which a key works, one a line. */
export function AddressesField({
  value,
  onInput,
}: {
  value: string
  onInput: (typed: string) => void
}) {
  return (
    <TextArea
      label={t('addresses')}
      hint={t('addresses_hint')}
      dir="ltr"
      rows={3}
      value={value}
      onInput={onInput}
    />
  )
}

/** Returns the addresses of a text as the API takes them; null for every address. */
export function addressesOf(typed: string): string[] | null {
  const addresses = typed.split(/[\s,]+/).filter(Boolean)
  return addresses.length === 0 ? null : addresses
}
