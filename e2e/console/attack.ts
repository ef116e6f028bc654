/** What a script on the payer's page tries against the console, as the body of an async function. */

/**
 * Returns the script. `origin` is where the console is, empty for that of the page; `seconds` is how long
 * it looks into the windows that it opened.
 */
export const attackOn = (origin = '', seconds = 4): string => `
  const status = (path, more) =>
    fetch('${origin}' + path, { credentials: 'include', ...more }).then(
      async (response) => (await response.text()) && response.status,
      (error) => error.name,
    )
  const links = '/c/api/instances/default/payment_links'
  const opened = window.open('${origin}/console/me', 'other')
  const fetched = [
    await status('/console/me'),
    await status('/console/me', { mode: 'same-origin' }),
    await status('/console/preview'),
    await status('/console/factors'),
    await status(links, { headers: { 'Checkstand-Console': 'guess' } }),
    await status(links, { method: 'POST', body: '{}', headers: { 'Checkstand-Console': 'guess' } }),
  ]
  const frame = document.createElement('iframe')
  frame.src = '${origin}/console/me'
  document.body.append(frame)
  const worker = await Promise.race([
    navigator.serviceWorker.register('${origin}/console/me').then(() => 'registered', () => 'none'),
    new Promise((resolve) => setTimeout(() => resolve('none'), 5000)),
  ])
  let seen = []
  for (let tries = 0; tries < ${seconds * 5}; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const each of [opened, frame.contentWindow]) {
      try {
        if (each?.document?.getElementById('boot')) seen.push(each.location.href)
      } catch {}
    }
  }
  return { fetched, worker, seen, isOpened: opened !== null }`
