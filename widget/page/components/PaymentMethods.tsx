import { BankIcon, CardIcon, TransferIcon } from '../../ui/icons.tsx'
import { thisPage } from '../page-context.ts'
import type { Choice } from '../form.ts'
import { BrandMark } from '../methods/BrandMark.tsx'
import { MethodFields } from '../methods/MethodFields.tsx'
import { methodFace } from '../methods/registry.ts'
import { chunk } from '../chunks.ts'

const ICONS = { card: CardIcon, bank: BankIcon, transfer: TransferIcon }

/** The payment methods as one radio group; the chosen one opens its fields below itself. */
export function PaymentMethods() {
  const { form, t } = thisPage()
  const choices = form.choices.value
  const chosen = form.choice.value
  return (
    <fieldset class="section">
      <legend>
        <h2>{t('methods.title')}</h2>
      </legend>
      {choices.length === 0 && <p class="note">{t('methods.none')}</p>}
      <div class={choices.length === 1 ? 'methods only' : 'methods'}>
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

function Method(props: { choice: Choice; chosen: boolean; alone: boolean }) {
  const { choice, chosen, alone } = props
  const { form } = thisPage()
  const label = (
    <>
      <MethodMark choice={choice} />
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
      {chosen && <ChosenFields choice={choice} />}
    </div>
  )
}

function ChosenFields({ choice }: { choice: Choice }) {
  const { saved } = choice
  const Saved = chunk('saved-methods')?.SavedFields
  return (
    <div class="method-fields">
      {saved ? Saved && <Saved saved={saved} /> : <MethodFields method={choice.key} />}
    </div>
  )
}

function MethodMark({ choice }: { choice: Choice }) {
  if (choice.saved?.type === 'CARD') return <BrandMark brand={choice.saved.brand} />
  const icon = choice.offered ? methodFace(choice.offered)?.icon : 'bank'
  const Mark = ICONS[icon ?? 'card']
  return <Mark />
}

function MethodLabel({ choice }: { choice: Choice }) {
  const { t } = thisPage()
  const { offered, saved } = choice
  const face = offered && methodFace(offered)
  const Saved = chunk('saved-methods')?.SavedLabel
  return (
    <span class="method-name">
      {face ? t(face.label) : offered?.type}
      {saved && Saved && <Saved saved={saved} />}
    </span>
  )
}
