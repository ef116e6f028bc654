import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact'
import { Field } from '../../ui/Field.tsx'
import { chunk } from '../chunks.ts'
import { type FieldName, inputId } from '../fields.ts'
import type { Edit, TextInput } from './grouped-text.ts'
import { usePage } from '../page-context.ts'
import type { MessageDescriptor, StringId } from '../translator.ts'

export interface FormFieldProps {
  name: FieldName
  label: StringId
  hint?: StringId | MessageDescriptor | undefined
  optional?: boolean | undefined
  /** Reformats the input, such as a card number in groups. */
  edit?: (typing: TextInput) => Edit
  mark?: ComponentChildren
  className?: string
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** An input bound to a value of the form. It is validated when it loses the focus. */
export function FormField(props: FormFieldProps) {
  const { name, edit } = props
  const { checkout, form, t } = usePage()
  const error = form.errors.value[name]

  function onInput(event: TargetedInputEvent<HTMLInputElement>): void {
    const input = event.currentTarget
    if (edit) applyEdit(input, edit, form.values[name].value, event.inputType)
    form.enter(name, input.value)
  }

  function validate(): void {
    // An empty field is reported only at a submit.
    if (form.values[name].value.trim() === '' || checkout.lacksStrings()) return
    const errors = chunk('pay')?.checkForm(form.input(), checkout.checkout.value, checkout.time())
    form.setError(name, errors?.[name])
  }

  return (
    <Field
      id={inputId(name)}
      label={t(props.label)}
      value={form.values[name].value}
      onInput={onInput}
      onBlur={(event) => afterPress(event.currentTarget.ownerDocument, validate)}
      error={error && t(error)}
      hint={props.hint && t(props.hint)}
      optional={props.optional ? t('checkout.optional') : undefined}
      mark={props.mark}
      className={props.className ?? ''}
      {...(props.input === undefined ? {} : { input: props.input })}
    />
  )
}

/** A field with an autofill token, which also chooses its keyboard. */
export function AutofillField({
  token,
  ...props
}: Pick<FormFieldProps, 'name' | 'label' | 'optional'> & { token: string }) {
  const shared = { name: token, autocomplete: token, maxLength: 255 }
  const input = token === 'email' || token === 'tel' ? { ...shared, type: token } : shared
  return <FormField {...props} input={input as FormFieldProps['input'] & object} />
}

/** Writes the edited text and the caret at once, since a later render would move the caret. */
function applyEdit(
  input: HTMLInputElement,
  edit: (typing: TextInput) => Edit,
  before: string,
  inputType: string | undefined,
): void {
  const { value, selectionStart } = input
  const forward = inputType === 'deleteContentForward'
  const edited = edit({ before, text: value, caret: selectionStart ?? value.length, forward })
  if (edited.text === value) return
  input.value = edited.text
  if (input.ownerDocument.activeElement === input) {
    input.setSelectionRange(edited.caret, edited.caret)
  }
}

/**
 * Runs `act` once no pointer is down. An error that appears during a press would move the pay button
 * away from under the pointer, and the browser would drop the click.
 */
export function afterPress(document: Document, act: () => void): void {
  const later = () => setTimeout(act)
  if (document.querySelector('a:active, button:active, label:active, summary:active') === null) {
    later()
  } else {
    document.addEventListener('pointerup', later, { once: true })
  }
}
