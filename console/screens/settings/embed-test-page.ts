import { t } from './settings-words.ts'

/**
 * Returns the HTML of a page that shows a link in its text and in a dialog, and lists the events of the embed script.
 * `origin` is that of the payer's page. A merchant puts the file on a site of theirs.
 */
export function embedTestPage({ origin, link }: { origin: string; link: string }): string {
  const words = {
    disk: t('embed_test_disk'),
    refused: t('embed_test_refused', { origin: '{origin}' }),
  }
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escape(t('embed_test_title'))}</title>
    <script async src="${origin}/widget.js"></script>
    <style>
      main { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
      code { overflow-wrap: anywhere }
    </style>
  </head>
  <body>
    <main>
      <h1>${escape(t('embed_test_title'))}</h1>
      <p id="problem" role="alert"></p>
      <checkstand-checkout link="${link}"></checkstand-checkout>
      <p><a href="${origin}/pay/${link}" data-checkstand="overlay">${escape(t('embed_test_dialog'))}</a></p>
      <h2>${escape(t('embed_test_events'))}</h2>
      <ol id="events"></ol>
    </main>
    <script>
      const words = ${JSON.stringify(words).replaceAll('<', String.raw`\u003c`)}
      const problem = document.getElementById('problem')
      if (location.protocol === 'file:') problem.textContent = words.disk
      for (const name of ['ready', 'status', 'action', 'complete', 'close', 'error']) {
        document.addEventListener('checkstand:' + name, ({ type, detail }) => {
          const line = document.createElement('li')
          const code = document.createElement('code')
          code.textContent = type + ' ' + JSON.stringify(detail)
          line.append(code)
          document.getElementById('events').append(line)
          if (detail && detail.code === 'NOT_FRAMED' && location.protocol !== 'file:') {
            problem.textContent = words.refused.replace('{origin}', location.origin)
          }
        })
      }
    </script>
  </body>
</html>
`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
