import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Checkout, open } from 'checkstand-embed/react'

function Shop() {
  const [link, setLink] = useState()
  const [paid, setPaid] = useState(false)
  const [status, setStatus] = useState('')

  useEffect(() => {
    fetch('/order', { method: 'POST' }).then(
      async (response) => setLink((await response.json()).url),
      () => setStatus('The shop is closed.'),
    )
  }, [])

  if (!link) return <p role="status">{status || 'One moment …'}</p>
  return (
    <main>
      <h1>Roastery</h1>
      <p role="status">{paid ? 'Paid. Thank you!' : status}</p>
      <Checkout
        link={link}
        onStatus={({ detail }) => setStatus(`The checkout is ${detail.status}.`)}
        onComplete={({ detail }) => setPaid(detail.status === 'COMPLETED')}
      />
      {!paid && (
        <button onClick={(event) => open({ link }, event.currentTarget)}>Pay in a dialog</button>
      )}
    </main>
  )
}

createRoot(document.querySelector('#app')).render(
  <StrictMode>
    <Shop />
  </StrictMode>,
)
