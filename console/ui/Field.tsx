import type { ComponentChildren, LooseInputHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'
import { Icon } from './Icon.tsx'

interface FieldProps {
  label: string
  /** Beside the label, such as "optional". */
  aside?: string
  hint?: ComponentChildren
  /** What is wrong with the value. */
  error?: string | undefined
}

/** Gives a control its label, hint and error. `children` gets the attributes that tie them together. */
export function Field({
  label,
  aside,
  hint,
  error,
  children,
}: FieldProps & {
  children: (attributes: {
    id: string
    'aria-describedby'?: string
    'aria-invalid'?: 'true'
  }) => ComponentChildren
}) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return (
    <div class="field">
      <label for={id}>
        <b>{label}</b> {aside && <span class="muted">{aside}</span>}
      </label>
      {children({
        id,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(error && { 'aria-invalid': 'true' as const }),
      })}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="circle-alert" size={14} /> {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

type InputProps = FieldProps &
  Pick<
    LooseInputHTMLAttributes<HTMLInputElement>,
    | 'autocomplete'
    | 'autofocus'
    | 'dir'
    | 'disabled'
    | 'inputMode'
    | 'lang'
    | 'maxLength'
    | 'min'
    | 'max'
    | 'name'
    | 'onBlur'
    | 'onKeyDown'
    | 'placeholder'
    | 'readOnly'
    | 'required'
    | 'spellcheck'
  > & {
    type?: 'text' | 'date' | 'datetime-local' | 'email' | 'number' | 'password' | 'search' | 'url'
    value: string
    onInput: (value: string) => void
    /** Stands at the end of the field, such as a currency. */
    suffix?: ComponentChildren
  }

/** A field for one line of text. */
export function TextField({
  label,
  aside,
  hint,
  error,
  onInput,
  suffix,
  type = 'text',
  ...input
}: InputProps) {
  return (
    <Field label={label} {...(aside && { aside })} hint={hint} error={error}>
      {(attributes) => (
        <span class="control">
          <input
            {...input}
            {...attributes}
            {...({ type } as { type: 'text' })}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {suffix !== undefined && <span class="suffix">{suffix}</span>}
        </span>
      )}
    </Field>
  )
}

/** A field for several lines of text. */
export function TextArea({
  label,
  aside,
  hint,
  error,
  onInput,
  highlight,
  ...area
}: FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'label' | 'onInput'> & {
    value: string
    onInput: (value: string) => void
    /** Matches what is to be colored in the text. The field then grows with its text. */
    highlight?: RegExp
  }) {
  return (
    <Field label={label} {...(aside && { aside })} hint={hint} error={error}>
      {(attributes) => (
        <span class={`control ${highlight ? 'highlighted' : ''}`}>
          {highlight && (
            <Backdrop
              text={area.value}
              highlight={highlight}
              {...(area.dir && { dir: area.dir })}
            />
          )}
          <textarea
            rows={3}
            {...area}
            {...attributes}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  )
}

/** The text of a field again, with colored parts, to lie behind it. */
function Backdrop({
  text,
  highlight,
  dir,
}: {
  text: string
  highlight: RegExp
  dir?: TextareaHTMLAttributes['dir']
}) {
  const parts = text.split(highlight)
  return (
    <span class="backdrop" aria-hidden="true" dir={dir}>
      {parts.map((part, at) => (at % 2 === 0 ? part : <mark key={at}>{part}</mark>))}{' '}
    </span>
  )
}

export interface Option {
  value: string
  label: string
}

/** A choice among many. */
export function SelectField({
  label,
  aside,
  hint,
  error,
  options,
  value,
  onChange,
  ...select
}: FieldProps & {
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
  disabled?: boolean
}) {
  return (
    <Field label={label} {...(aside && { aside })} hint={hint} error={error}>
      {(attributes) => (
        <span class="control select">
          <select
            {...select}
            {...attributes}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </Field>
  )
}

/** A choice that is on or off. */
export function CheckField({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: ComponentChildren
  hint?: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div class="check-field">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A choice among a few, all of which are visible. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: ComponentChildren; name?: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? 'chosen' : ''}>
          <input
            class="visually-hidden"
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-label={option.name}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
