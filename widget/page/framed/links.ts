/**
 * Keeps other pages out of the frame: a link of the checkout leads the whole window on. Only the
 * payer's own click does, which is what browsers ask of a frame. `inside` names the bank's page that
 * may be shown in here.
 */
export function openLinksOutside(inside: () => string | undefined): void {
  addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
      if (!link || link.target !== '' || isHere(link) || link.href === inside()) return
      link.target = '_top'
    },
    true,
  )
}

function isHere({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname === location.pathname
}
