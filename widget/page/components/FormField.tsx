import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact'
import { Field } from '../../ui/Field.tsx'
import { thisPage } from '../page-context.ts'
import { type FieldName, inputId } from '../fields.ts'
import type { Edit, Typing } from '../methods/grouped-text.ts'
import { chunk } from '../chunks.ts'
import type { StringId } from '../translator.ts'

export interface FormFieldProps {
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
export function FormField(props: FormFieldProps) {
  const { name, edit } = props
  const { checkout, form, say, t } = thisPage()
  const error = form.errors.value[name]

  function onInput(event: TargetedInputEvent<HTMLInputElement>): void {
    const input = event.currentTarget
    if (edit) rewrite(input, edit, form.values[name].value, event.inputType)
    form.type(name, input.value)
  }

  function check(): void {
    // A field that was only passed through is not scolded; the pay button asks for it.
    if (form.values[name].value.trim() === '') return
    const errors = chunk('pay')?.checkForm(form, checkout.checkout.value, checkout.time())
    form.setError(name, errors?.[name])
  }

  return (
    <Field
      id={inputId(name)}
      label={t(props.label)}
      value={form.values[name].value}
      onInput={onInput}
      onBlur={(event) => afterPress(event.currentTarget.ownerDocument, check)}
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

/**
 * Runs `act` when nothing is being pressed. An error that came up while the pay button is held
 * down would push the button from under the finger, and the press would be lost.
 */
function afterPress(document: Document, act: () => void): void {
  const later = () => setTimeout(act)
  if (document.querySelector('a:active, button:active, label:active, summary:active') === null) {
    later()
  } else {
    document.addEventListener('pointerup', later, { once: true })
  }
}
