import { thisPage } from '../page-context.ts'

/** The merchant's mark and name. The name is read out, so the mark says nothing of its own. */
export function Merchant() {
  const { checkout, form, merchant } = thisPage()
  const { logo } = checkout.model
  if (merchant === '') return null
  const [initial] = Array.from(merchant.trim())
  return (
    <p class="merchant">
      {logo !== null && !form.logoBroken.value ? (
        <img
          class="logo"
          src={logo}
          alt=""
          referrerpolicy="no-referrer"
          decoding="async"
          onError={() => void (form.logoBroken.value = true)}
        />
      ) : (
        <span class="mark" aria-hidden="true">
          {initial?.toLocaleUpperCase()}
        </span>
      )}
      <span>{merchant}</span>
    </p>
  )
}
