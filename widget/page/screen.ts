import type { PageContext } from './page-context.ts'

/** The page's faces: what stands in the middle of it. */
export type Face =
  | 'FORM'
  | 'TO_BANK'
  | 'TO_MERCHANT'
  | 'UNSURE'
  | 'RECEIPT'
  | 'PENDING'
  | 'CHECKING'
  | 'BANK'
  | 'BUSY'
  | 'EXPIRED'
  | 'UNAVAILABLE'

/** Which of the page's faces the state calls for. */
export function faceOf(checkout: PageContext['checkout']): Face {
  const leaving = checkout.leaving.value
  if (leaving !== null) return leaving.to === 'BANK' ? 'TO_BANK' : 'TO_MERCHANT'
  const view = checkout.view.value
  if (view === 'FORM') return checkout.phase.value === 'unsure' ? 'UNSURE' : 'FORM'
  if (view !== 'RESULT') return view
  switch (checkout.checkout.value.result?.outcome) {
    case 'COMPLETED':
      return 'RECEIPT'
    case 'PENDING':
      return 'PENDING'
    case 'ACTION':
      return 'BANK'
    default:
      return 'CHECKING'
  }
}
