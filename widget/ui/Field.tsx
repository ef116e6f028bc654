import type {
  ComponentChildren,
  FocusEventHandler,
  InputEventHandler,
  InputHTMLAttributes,
} from 'preact'
import { WarningIcon } from './icons.tsx'

export interface FieldProps {
  id: string
  label: string
  value: string
  onInput: InputEventHandler<HTMLInputElement>
  onBlur?: FocusEventHandler<HTMLInputElement>
  error?: string | undefined
  hint?: string | undefined
  /** Says behind the label that the field may stay empty. */
  optional?: string | undefined
  /** Stands inside the field at its end; decoration only. */
  mark?: ComponentChildren
  className?: string
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A labelled input whose error and hint belong to it for every reader (page design section 3). */
export function Field(props: FieldProps) {
  const { id, label, value, error, hint, optional, mark, input } = props
  return (
    <div class={`field ${props.className ?? ''}`}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> {optional}</span>}
      </label>
      <div class="entry">
        <input
          type="text"
          dir="auto"
          {...input}
          id={id}
          value={value}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={describedBy(id, error, hint)}
          onInput={props.onInput}
          onBlur={props.onBlur}
        />
        {mark}
      </div>
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  )
}

/** The ids that describe a field, or undefined when nothing does. */
export function describedBy(id: string, error?: string, hint?: string): string | undefined {
  return [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
}

/** The error and the hint below a field. */
export function FieldNotes(props: {
  id: string
  error?: string | undefined
  hint?: string | undefined
}) {
  return (
    <>
      {props.error && (
        <p class="field-error" id={`${props.id}-error`}>
          <WarningIcon />
          <span>{props.error}</span>
        </p>
      )}
      {props.hint && (
        <p class="hint" id={`${props.id}-hint`}>
          {props.hint}
        </p>
      )}
    </>
  )
}
