import { boot } from '../boot.ts'

/** The email by which password managers find or store the password of the form. */
export function AccountOfPassword() {
  return (
    <input
      type="email"
      class="visually-hidden"
      aria-hidden="true"
      tabIndex={-1}
      autocomplete="username"
      value={boot.user.email}
      readOnly
    />
  )
}
