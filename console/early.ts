// What takes time whatever the screen is. This module has no imports, so it runs while the others are on their way.

const { first, token }: { first: string | null; token: string } = JSON.parse(
  document.getElementById('boot')?.textContent ?? '{}',
)
if (first !== null) {
  const headers = { Accept: 'application/json', 'Checkstand-Console': token }
  const response = fetch(first, { headers })
  // Who asks for it gets the error.
  response.catch(() => {})
  globalThis.checkstandFirst = { path: first, response }
}

// A browser loads the data of its numbers, dates and plurals with the first format, which no paint waits for.
requestAnimationFrame(() =>
  setTimeout(() => Intl.NumberFormat(document.documentElement.lang).format(0)),
)
