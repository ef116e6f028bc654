import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { usePage } from '../page-context.ts'

/** The merchant's logo, or an initial where it is missing or broken, and name. */
export function Merchant() {
  const { checkout, merchant } = usePage()
  const { logo } = checkout.model
  const broken = useSignal(false)
  const image = useRef<HTMLImageElement>(null)

  useEffect(() => {
    const { current } = image
    // The error may have happened before hydration. An SVG without a size has no width either.
    if (current?.complete && current.naturalWidth === 0) {
      current.decode().catch(() => (broken.value = true))
    }
  }, [])

  if (merchant === '') return null
  const [initial] = Array.from(merchant.trim())
  return (
    <p class="merchant">
      {logo !== null && !broken.value ? (
        <img
          ref={image}
          class="logo"
          src={logo}
          alt=""
          referrerpolicy="no-referrer"
          decoding="async"
          onError={() => (broken.value = true)}
        />
      ) : (
        <span class="initial" aria-hidden="true">
          {initial?.toLocaleUpperCase()}
        </span>
      )}
      <span>{merchant}</span>
    </p>
  )
}
