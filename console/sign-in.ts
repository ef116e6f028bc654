import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'

// The script of the sign-in pages. Without it, and without passkeys, the password works alone.

const form = document.querySelector<HTMLFormElement>('form.passkey')
if (form && browserSupportsWebAuthn()) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void usePasskey(form)
  })
}

/** Asks the browser for a passkey and sends the form with it. A refusal is shown below the button. */
async function usePasskey(passkeyForm: HTMLFormElement): Promise<void> {
  const [button, failed] = [passkeyForm.querySelector('button'), passkeyForm.querySelector('p')]
  const [token, passkey] = passkeyForm.querySelectorAll('input')
  if (!button || !failed || !token || !passkey) return
  failed.hidden = true
  button.disabled = true
  try {
    const asked = await fetch(passkeyForm.dataset['options'] ?? '', {
      method: 'POST',
      body: new URLSearchParams({ token: token.value }),
    })
    if (!asked.ok) throw new Error(asked.statusText)
    const answer = await startAuthentication({ optionsJSON: await asked.json() })
    passkey.value = JSON.stringify(answer)
    passkeyForm.submit()
  } catch {
    failed.hidden = false
    button.disabled = false
  }
}
