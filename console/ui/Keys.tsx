import './keys.css'

/** Shows the keys of a shortcut, separated by spaces. Screen readers get them from `aria-keyshortcuts`. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys" aria-hidden="true">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
