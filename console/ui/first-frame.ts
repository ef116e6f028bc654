import { useEffect, useState } from 'preact/hooks'

/** Returns false until the first frame with the component is painted, for what that frame does not show. */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}

/** Whether the layout is that of a phone, as the style sheets have it. */
export const isSmallScreen = (): boolean => matchMedia('(max-width: 760px)').matches
