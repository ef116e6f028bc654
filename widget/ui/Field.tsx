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
  value?: string
  onInput?: InputEventHandler<HTMLInputElement>
  onBlur?: FocusEventHandler<HTMLInputElement>
  error?: string | undefined
  hint?: string | undefined
  /** The text behind the label of an optional field. */
  optional?: string | undefined
  /** Decoration at the end of the input. */
  mark?: ComponentChildren
  className?: string
  input?: InputHTMLAttributes<HTMLInputElement>
  /** Stands in place of the input. */
  control?: ComponentChildren
}

/** An input with its label, error and hint. */
export function Field(props: FieldProps) {
  const { id, label, value, error, hint, optional, mark, input } = props
  const describedBy =
    [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  return (
    <div class={`field ${props.className ?? ''}`}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> {optional}</span>}
      </label>
      <div class="entry">
        {props.control ?? (
          <input
            type="text"
            dir="auto"
            {...input}
            id={id}
            value={value}
            aria-invalid={error ? 'true' : undefined}
            aria-describedby={describedBy}
            onInput={props.onInput}
            onBlur={props.onBlur}
          />
        )}
        {mark}
      </div>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <WarningIcon />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
