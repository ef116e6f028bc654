import { BankIcon, CardIcon, TransferIcon } from '../../ui/icons.tsx'
import { chunk } from '../chunks.ts'
import type { MethodChoice } from '../fields.ts'
import { BrandMark } from '../methods/BrandMark.tsx'
import { CardFields } from '../methods/CardFields.tsx'
import { chunkOf } from '../methods/chunk-of.ts'
import { methodName } from '../methods/method-name.ts'
import { usePage } from '../page-context.ts'

/** The radio group of payment methods, with the fields of the chosen one. */
export function PaymentMethods() {
  const { form, t } = usePage()
  const choices = form.choices.value
  const chosen = form.choice.value
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('methods.title')}</h2>
      </legend>
      {choices.length === 0 && <p class="note">{t('methods.none')}</p>}
      <div class={choices.length === 1 ? 'methods single' : 'methods'}>
        {choices.map((choice) => (
          <Method
            key={choice.key}
            choice={choice}
            chosen={choice.key === chosen?.key}
            alone={choices.length === 1}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Method(props: { choice: MethodChoice; chosen: boolean; alone: boolean }) {
  const { choice, chosen, alone } = props
  const { form } = usePage()
  const label = (
    <>
      <MethodIcon choice={choice} />
      <MethodLabel choice={choice} />
    </>
  )
  return (
    <div class={chosen ? 'method chosen' : 'method'}>
      {alone ? (
        choice.saved && <p class="method-label">{label}</p>
      ) : (
        <label class="method-label">
          <input
            type="radio"
            name="method"
            value={choice.key}
            checked={chosen}
            onChange={() => form.choose(choice.key)}
          />
          {label}
        </label>
      )}
      {chosen && (
        <div class="method-fields">
          <MethodFields choice={choice} />
        </div>
      )}
    </div>
  )
}

function MethodIcon({ choice: { saved, offered } }: { choice: MethodChoice }) {
  if (saved?.type === 'CARD') return <BrandMark brand={saved.brand} />
  const type = (saved ?? offered).type
  return type === 'CARD' ? <CardIcon /> : type === 'DIRECT_DEBIT' ? <BankIcon /> : <TransferIcon />
}

function MethodLabel({ choice }: { choice: MethodChoice }) {
  const { t } = usePage()
  const { offered, saved } = choice
  const SavedMethodLabel = chunk('saved-methods')?.SavedMethodLabel
  return (
    <span class="method-name">
      {offered && methodName(offered.type, t)}
      {saved && SavedMethodLabel && <SavedMethodLabel saved={saved} />}
    </span>
  )
}

function MethodFields({ choice: { key, saved, offered } }: { choice: MethodChoice }) {
  const { t } = usePage()
  const SavedMethodFields = chunk('saved-methods')?.SavedMethodFields
  if (saved) return SavedMethodFields ? <SavedMethodFields saved={saved} /> : null
  if (key === 'sandbox-CARD') return <CardFields />
  if (key === 'sandbox-BANK_TRANSFER') return <p class="note">{t('methods.bank_transfer_note')}</p>
  const Fields = chunk(chunkOf(offered))?.MethodFields
  return Fields ? <Fields offered={offered} /> : null
}
