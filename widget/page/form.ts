import { computed, type Signal, signal } from '@preact/signals'
import type { PageModel } from '../../shared/page-model.ts'
import { saveChoice } from '../../shared/rules/save-card.ts'
import type { TypedAmount } from '../../shared/rules/typed-amount.ts'
import type { Checkout } from './checkout.ts'
import { chunk } from './chunks.ts'
import {
  type FieldErrors,
  type FieldName,
  FIELDS,
  type FieldValues,
  type FormInput,
  type MethodChoice,
} from './fields.ts'
import type { MessageDescriptor } from './translator.ts'

export type Form = ReturnType<typeof createForm>

/** The payer's input. It is separate from the session, so that it outlives an expired session. */
export function createForm(checkout: Checkout) {
  const values = initialValues(checkout.model)
  const errors = signal<FieldErrors>({})
  /** The key of the method that the payer chose or the browser restored. */
  const chosenKey = signal<string | null>(null)
  /** The payer's own choice in the checkbox; null until it is used. */
  const saveCard = signal<boolean | null>(null)
  /** The payer has begun to use the form. */
  const touched = signal(false)
  const { phone, address } = checkout.model.checkout.details.prefill
  const addressOpen = signal(phone !== undefined || address !== undefined)
  const testCardsOpen = signal(false)

  const choices = computed((): MethodChoice[] => {
    const { methods, saved_methods } = checkout.checkout.value
    return [
      ...saved_methods.map((saved) => ({ key: saved.id, saved })),
      ...methods.map((offered) => ({ key: `${offered.processor}-${offered.type}`, offered })),
    ]
  })

  const choice = computed(
    () => choices.value.find(({ key }) => key === chosenKey.value) ?? choices.value[0],
  )

  const saving = computed(() => {
    const { save_card } = checkout.checkout.value
    const options = saveChoice(save_card, choice.value?.offered)
    const checked = options.locked || (saveCard.value ?? options.initial)
    return { ...options, checked }
  })

  const typedAmount = computed(
    (): TypedAmount =>
      chunk('terms')?.readAmount(values, checkout.checkout.value, checkout.model) ?? {
        state: 'EMPTY',
      },
  )

  const amount = computed(() => {
    const { terms } = checkout.checkout.value
    if (!terms.amount_editable) return terms.amount
    return typedAmount.value.state === 'READ' ? typedAmount.value.amount : null
  })

  function setError(name: FieldName, error: MessageDescriptor | undefined): void {
    if (errors.value[name] === error) return
    const { [name]: _previous, ...others } = errors.value
    errors.value = error === undefined ? others : { ...others, [name]: error }
  }

  const readValues = () =>
    Object.fromEntries(FIELDS.map((name) => [name, values[name].value])) as FieldValues

  return {
    values,
    errors,
    chosenKey,
    saveCard,
    touched,
    addressOpen,
    testCardsOpen,
    choices,
    choice,
    saving,
    typedAmount,
    amount,
    setError,

    input: (): FormInput => ({
      values: readValues(),
      choice: choice.value,
      typedAmount: typedAmount.value,
      amount: amount.value,
      saving: saving.value,
    }),

    enter(name: FieldName, text: string): void {
      touched.value = true
      values[name].value = text
      setError(name, undefined)
      chunk('pay')?.recordProgress(checkout.milestones, {
        values: readValues(),
        field: name,
        detailsNeeded: checkout.checkout.value.details.needed,
        now: checkout.flow.now(),
      })
    },

    choose(key: string): void {
      checkout.milestones.method_chosen ??= checkout.flow.now()
      chosenKey.value = key
      errors.value = {}
    },

    /** PCI DSS allows no security code to be kept after a use of it, not even in the form. */
    clearSecurityCodes(): void {
      values.csc.value = ''
      values.saved_csc.value = ''
    },

    openAddress: (): void => {
      if (addressOpen.value) return
      touched.value = true
      addressOpen.value = true
    },

    openTestCards: (): void => {
      touched.value = true
      testCardsOpen.value = true
    },
  }
}

function initialValues(model: PageModel): Record<FieldName, Signal<string>> {
  const { terms, details } = model.checkout
  const { address, ...person } = details.prefill
  const prefill: Partial<Record<string, string>> = {
    ...person,
    ...address,
    amount: terms.amount?.replace('.', model.number_style.decimal),
    alt_key: terms.alt_key ?? undefined,
    // A fixed description is shown beside the payer's comment and does not prefill it.
    description: terms.description_editable ? (terms.description ?? undefined) : undefined,
  }
  const entries = FIELDS.map((name) => [name, signal(prefill[name] ?? '')])
  return Object.fromEntries(entries) as Record<FieldName, Signal<string>>
}
