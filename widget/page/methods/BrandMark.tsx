import { CardIcon } from '../../ui/icons.tsx'
import { brandName } from './brands.ts'

/** The brand of a card as a small drawing inside the page, so that no request tells about it. */
export function BrandMark(props: { brand: string | null }) {
  const drawing = props.brand === null ? undefined : DRAWINGS[props.brand]
  if (drawing === undefined) return <CardIcon />
  return (
    <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true">
      {drawing}
    </svg>
  )
}

const plate = (fill: string) => <rect width="36" height="24" rx="4" fill={fill} />

const lettered = (id: string, fill: string, size: number) => (
  <>
    {plate(fill)}
    <text x="18" y="15" fill="#fff" font-size={size} font-weight="700" text-anchor="middle">
      {brandName(id)?.split(' ')[0]}
    </text>
  </>
)

const DRAWINGS: Readonly<Record<string, preact.ComponentChild>> = {
  visa: (
    <>
      {plate('#1a1f71')}
      <text
        x="18"
        y="16"
        fill="#fff"
        font-size="11"
        font-weight="800"
        font-style="italic"
        text-anchor="middle"
      >
        {brandName('visa')?.toUpperCase()}
      </text>
    </>
  ),
  mastercard: (
    <>
      {plate('#16181d')}
      <circle cx="14.5" cy="12" r="6.5" fill="#eb001b" />
      <circle cx="21.5" cy="12" r="6.5" fill="#f79e1b" />
      <path d="M18 6.5a6.5 6.5 0 0 1 0 11 6.5 6.5 0 0 1 0-11z" fill="#ff5f00" />
    </>
  ),
  amex: (
    <>
      {plate('#006fcf')}
      <text x="18" y="15.2" fill="#fff" font-size="9" font-weight="800" text-anchor="middle">
        {'amex'.toUpperCase()}
      </text>
    </>
  ),
  maestro: (
    <>
      {plate('#16181d')}
      <circle cx="14.5" cy="12" r="6.5" fill="#0099df" />
      <circle cx="21.5" cy="12" r="6.5" fill="#ed0006" />
    </>
  ),
  discover: lettered('discover', '#b3480a', 7),
  jcb: lettered('jcb', '#0b4ea2', 10),
  diners: lettered('diners', '#004a97', 8),
  unionpay: lettered('unionpay', '#00666f', 7.2),
}
