import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact'
import { Field } from '../ui/Field.tsx'
import { usePage } from './context.ts'
import type { FieldName } from './form.ts'
import type { Edit, Typing } from './methods/grouped-text.ts'
import { checkForm } from './submission.ts'
import type { StringId } from './wording.ts'

/** The id of a field's input; errors, labels and the focus find it by this. */
export const inputId = (name: FieldName) => `field-${name.replace('_', '-')}`

export interface EntryProps {
  name: FieldName
  label: StringId
  hint?: StringId | undefined
  optional?: boolean
  /** Rewrites what is typed, such as a card number in groups. */
  edit?: (typing: Typing) => Edit
  mark?: ComponentChildren
  className?: string
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A field of the form: bound to what was typed, checked when it is left. */
export function Entry(props: EntryProps) {
  const { name, edit } = props
  const { checkout, form, now, say, t } = usePage()
  const error = form.errors.value[name]

  function onInput(event: TargetedInputEvent<HTMLInputElement>): void {
    const input = event.currentTarget
    if (edit) rewrite(input, edit, form.values[name].peek(), event.inputType)
    form.type(name, input.value)
  }

  function onBlur(): void {
    // A field that was only passed through is not scolded; the pay button asks for it.
    if (form.values[name].peek().trim() === '') return
    form.setError(name, checkForm(form, checkout.checkout.peek(), now())[name])
  }

  return (
    <Field
      id={inputId(name)}
      label={t(props.label)}
      value={form.values[name].value}
      onInput={onInput}
      onBlur={onBlur}
      error={error && say(error)}
      hint={props.hint && t(props.hint)}
      optional={props.optional ? t('checkout.optional') : undefined}
      mark={props.mark}
      className={props.className ?? ''}
      {...(props.input === undefined ? {} : { input: props.input })}
    />
  )
}

/** Writes the edited text and puts the caret where the typing is, before anything is drawn. */
function rewrite(
  input: HTMLInputElement,
  edit: (typing: Typing) => Edit,
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
