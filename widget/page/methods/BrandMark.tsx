import { CardIcon } from '../../ui/icons.tsx'
import { brandName } from './brands.ts'

/** A card brand's logo, drawn inline so that it needs no request. */
export function BrandMark({ brand }: { brand: string | null }) {
  const drawing = brand === null ? undefined : DRAWINGS[brand]
  if (brand === null || drawing === undefined) return <CardIcon />
  const [plate, ink, size] = drawing
  const [word = ''] = (brandName(brand) ?? '').split(' ')
  return (
    <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true">
      <rect width="36" height="24" rx="4" fill={plate} />
      {typeof ink === 'string' ? (
        <text x="18" y={12 + size * 0.36} fill={ink} font-size={size} text-anchor="middle">
          {brand === 'visa' || brand === 'amex' ? brand.toUpperCase() : word}
        </text>
      ) : (
        ink.map((fill, at) => (
          <circle
            key={fill}
            cx={15 + at * 6}
            cy="12"
            r="6.2"
            fill={fill}
            fill-opacity={1 - at / 8}
          />
        ))
      )}
    </svg>
  )
}

/** The plate's color, then a word in a color and a font size, or the colors of two circles. */
type Drawing = readonly [plate: string, ink: string | readonly string[], size: number]

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  visa: ['#1a1f71', '#fff', 11],
  mastercard: ['#2b2e35', ['#eb001b', '#f79e1b'], 0],
  amex: ['#006fcf', '#fff', 9.5],
  maestro: ['#2b2e35', ['#0099df', '#ed0006'], 0],
  discover: ['#b3480a', '#fff', 7],
  jcb: ['#0b4ea2', '#fff', 10],
  diners: ['#004a97', '#fff', 8],
  unionpay: ['#00666f', '#fff', 7.2],
}
