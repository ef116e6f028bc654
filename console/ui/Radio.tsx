import { useId } from 'preact/hooks'
import './radio.css'

/** A choice among a few that need an explanation each. */
export function RadioCards<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: string; hint?: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset class="radio-cards">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? 'chosen' : ''}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.hint && <small>{option.hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
