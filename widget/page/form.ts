import type { OfferedMethod, PageModel, SavedMethod } from '../../shared/page-model.ts'
import { saveChoice } from '../../shared/rules/save-card.ts'
import type { Checkout } from './checkout.ts'
import { type FieldErrors, type FieldName, FIELDS, type FieldValues } from './fields.ts'
import { methodFace } from './methods/registry.ts'
import { chunk } from './chunks.ts'
import { computed, signal, type Signal } from './signal.ts'
import type { Words } from './translator.ts'
import type { TypedAmount } from '../../shared/rules/typed-amount.ts'

/** A method as the radio group lists it. */
export type Choice =
  | { key: string; saved: SavedMethod; offered?: undefined }
  | { key: string; offered: OfferedMethod; saved?: undefined }

export type Form = ReturnType<typeof createForm>

/**
 * What the payer typed and chose. It lives beside the session and not in it, so that a session
 * that runs out takes nothing along (contract section 7.1, rule 6).
 */
export function createForm(checkout: Checkout) {
  const values = initialValues(checkout.model)
  const errors = signal<FieldErrors>({})
  /** The key of the method that the payer chose, or that the browser restored. */
  const picked = signal<string | null>(null)
  const wish = signal<boolean | null>(null)
  /** The payer has begun. */
  const touched = signal(false)
  const { phone, address } = checkout.model.checkout.details.prefill
  const addressOpen = signal(phone !== undefined || address !== undefined)
  const trialsOpen = signal(false)
  const logoBroken = signal(false)
  /** Somebody looks for a country, so all are named. */
  const everyCountry = signal(false)
  const everyLanguage = signal(false)

  /** The methods in the order of the radio group; those without a browser half are left out. */
  const choices = computed((): Choice[] => {
    const { methods, saved_methods } = checkout.checkout.value
    return [
      ...saved_methods.map((saved) => ({ key: saved.id, saved })),
      ...methods
        .filter((method) => methodFace(method) !== undefined)
        .map((offered) => ({ key: `${offered.processor}-${offered.type}`, offered })),
    ]
  })

  const choice = computed(
    () => choices.value.find(({ key }) => key === picked.value) ?? choices.value[0],
  )

  const saving = computed(() => {
    const { save_card } = checkout.checkout.value
    const view = saveChoice(save_card, choice.value?.offered)
    const checked = view.locked || (wish.value ?? view.initial)
    return { ...view, checked }
  })

  const typedAmount = computed(
    (): TypedAmount =>
      chunk('terms')?.readAmount(values.amount.value, checkout) ?? { state: 'EMPTY' },
  )

  /** What will be paid, as a decimal string, or null while nobody knows. */
  const amount = computed(() => {
    const { terms } = checkout.checkout.value
    if (!terms.amount_editable) return terms.amount
    return typedAmount.value.state === 'READ' ? typedAmount.value.amount : null
  })

  function setError(name: FieldName, words: Words | undefined): void {
    if (errors.value[name] === words) return
    const { [name]: _old, ...others } = errors.value
    errors.value = words === undefined ? others : { ...others, [name]: words }
  }

  const read = () =>
    Object.fromEntries(FIELDS.map((name) => [name, values[name].value])) as FieldValues

  let setbacks = 0

  return {
    values,
    errors,
    choices,
    choice,
    saving,
    typedAmount,
    amount,
    touched,
    addressOpen,
    trialsOpen,
    logoBroken,
    everyCountry,
    everyLanguage,
    setError,

    picked,
    read,

    type(name: FieldName, text: string): void {
      touched.value = true
      values[name].value = text
      setError(name, undefined)
      chunk('pay')?.recordProgress(checkout, read(), name)
    },

    choose(key: string): void {
      checkout.milestones.method_chosen ??= checkout.paying.now()
      picked.value = key
      errors.value = {}
    },

    /** After a setback the code is typed again: it may be kept nowhere, not even in a form. */
    forgetCode(): void {
      if (checkout.setbacks.value === setbacks) return
      setbacks = checkout.setbacks.value
      values.csc.value = ''
      values.saved_csc.value = ''
    },

    wishToSave(saved: boolean): void {
      wish.value = saved
    },
  }
}

function initialValues(model: PageModel): Record<FieldName, Signal<string>> {
  const { terms, details } = model.checkout
  const { address, ...person } = details.prefill
  const given: Partial<Record<string, string>> = {
    ...person,
    ...address,
    amount: terms.amount?.replace('.', model.number_style.decimal),
    alt_key: terms.alt_key ?? undefined,
    // A fixed comment is shown beside the payer's own one, never as it.
    description: terms.description_editable ? (terms.description ?? undefined) : undefined,
  }
  const entries = FIELDS.map((name) => [name, signal(given[name] ?? '')])
  return Object.fromEntries(entries) as Record<FieldName, Signal<string>>
}
