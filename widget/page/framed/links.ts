/**
 * Opens links to other pages in the whole window instead of the frame. Browsers allow a frame to do so
 * only for a click of the payer. `bankUrl` returns the bank's page that is allowed inside the frame.
 */
export function openLinksOutside(bankUrl: () => string | undefined): void {
  addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
      if (!link || link.target !== '' || isThisPage(link) || link.href === bankUrl()) return
      link.target = '_top'
    },
    true,
  )
}

function isThisPage({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && pathname === location.pathname
}
