import { html, raw } from 'hono/html'
import {
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../auth/credential-rules.ts'
import type { SignOutForm } from './sign-out-form.ts'
import type { Translator } from './translator.ts'
import { type Html, errorNotice } from './layout.ts'

// Forms without an action are submitted to the page's own URL.

interface CredentialsView {
  csrfToken: string
  /** The email of a failed attempt. */
  email?: string
  error?: string
}

/** What the form of a passkey needs; the script asks at `options` and sends the form to `action`. */
export interface PasskeyForm {
  action: string
  options: string
  csrfToken: string
}

export function signInContent(
  { t }: Translator,
  /** `client` is the name of the platform whose request led here. */
  view: CredentialsView & { client: string | undefined; passkey: PasskeyForm },
): Html {
  return html`<h1>${t('sign_in.title')}</h1>
    ${
      view.client === undefined
        ? ''
        : html`<p class="lead">${t('sign_in.for_client', { client: view.client })}</p>`
    }
    ${credentialsForm(t, view, {
      autocomplete: 'current-password',
      describedBy: view.error === undefined ? undefined : 'problem',
      submit: t('sign_in.title'),
    })}
    ${passkeyForm(t, view.passkey)}`
}

/** The second step of a sign-in. `passkey` is undefined for a user without one. */
export function codeContent(
  { t }: Translator,
  view: { csrfToken: string; error?: string; passkey: PasskeyForm | undefined },
): Html {
  return html`<h1>${t('sign_in.code_title')}</h1>
    <form method="post">
      ${view.error === undefined ? '' : errorNotice(view.error)}
      <input type="hidden" name="token" value="${view.csrfToken}" />
      <div class="field">
        <label for="code">${t('sign_in.code')}</label>
        <input
          id="code"
          name="code"
          type="text"
          required
          autofocus
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          dir="ltr"
          maxlength="40"
          aria-describedby="${view.error === undefined ? 'code-hint' : 'problem code-hint'}"
        />
        <p class="hint" id="code-hint">${t('sign_in.code_hint')}</p>
      </div>
      <button class="button">${t('sign_in.title')}</button>
    </form>
    ${view.passkey === undefined ? '' : passkeyForm(t, view.passkey)}`
}

/** Shown by the script, in browsers that have passkeys. */
function passkeyForm(t: Translator['t'], { action, options, csrfToken }: PasskeyForm): Html {
  return html`<form
    class="passkey"
    method="post"
    action="${action}"
    data-options="${options}"
    hidden
  >
    <input type="hidden" name="token" value="${csrfToken}" />
    <input type="hidden" name="passkey" value="" />
    <button class="button quiet">${t('sign_in.passkey')}</button>
    <p class="hint" role="alert" hidden>${t('sign_in.passkey_failed')}</p>
  </form>`
}

export function firstUserContent({ t }: Translator, view: CredentialsView): Html {
  const rule = t('sign_in.password_rule', { minimum: PASSWORD_LENGTH_MIN })
  const isRuleShown = view.error === rule
  return html`<h1>${t('sign_in.first_title')}</h1>
    <p class="lead">${t('sign_in.first_intro')}</p>
    ${credentialsForm(t, view, {
      autocomplete: 'new-password',
      describedBy: isRuleShown ? 'problem' : 'password-rule',
      submit: t('sign_in.first_create'),
      ...(isRuleShown ? {} : { hint: rule }),
    })}`
}

/** The page of an invitation. The browser stores the password under `email`, which stays as it is. */
export function invitationContent(
  { t }: Translator,
  view: { csrfToken: string; email: string; error?: string },
): Html {
  const rule = t('sign_in.password_rule', { minimum: PASSWORD_LENGTH_MIN })
  const isRuleShown = view.error === rule
  return html`<h1>${t('sign_in.invitation_title')}</h1>
    <p class="lead">${t('sign_in.invitation_intro', { email: view.email })}</p>
    <form method="post">
      ${view.error === undefined ? '' : errorNotice(view.error)}
      <input type="hidden" name="token" value="${view.csrfToken}" />
      <input type="email" name="email" value="${view.email}" autocomplete="username" hidden />
      ${passwordField(t, {
        autocomplete: 'new-password',
        describedBy: isRuleShown ? 'problem' : 'password-rule',
        autofocus: true,
        ...(isRuleShown ? {} : { hint: rule }),
      })}
      <button class="button">${t('sign_in.invitation_save')}</button>
    </form>`
}

export function frontPageContent({ t }: Translator): Html {
  return html`<h1>${t('sign_in.front_title')}</h1>
    <p class="lead">${t('sign_in.front_payer')}</p>
    <nav>
      <a href="/sign-in">${t('sign_in.title')}</a>
      <a href="/docs">${t('sign_in.front_api')}</a>
    </nav>`
}

/** A page without links or forms. `detail` is an error message in English. */
export function noticeContent(title: string, text?: string, detail?: string): Html {
  return html`<h1>${title}</h1>
    ${text === undefined ? '' : html`<p class="lead">${text}</p>`}
    ${detail === undefined ? '' : html`<p class="detail" lang="en" dir="ltr">${detail}</p>`}`
}

/** The footer with the signed-in user and the button to sign out. */
export function accountContent(
  { t }: Translator,
  view: { email: string; signOut: SignOutForm },
): Html {
  return html`<form class="account" method="post" action="${view.signOut.action}">
    <p>${t('sign_in.signed_in', { email: view.email })}</p>
    <input type="hidden" name="token" value="${view.signOut.csrfToken}" />
    <button class="link">${t('sign_in.sign_out')}</button>
  </form>`
}

function credentialsForm(
  t: Translator['t'],
  { csrfToken, email, error }: CredentialsView,
  password: {
    autocomplete: 'current-password' | 'new-password'
    describedBy: string | undefined
    submit: string
    hint?: string
  },
): Html {
  return html`<form method="post">
    ${error === undefined ? '' : errorNotice(error)}
    <input type="hidden" name="token" value="${csrfToken}" />
    <div class="field">
      <label for="email">${t('details.email')}</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email ?? ''}"
        required
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        maxlength="${EMAIL_LENGTH_MAX}"
        ${attributes({ 'aria-describedby': error && 'problem', autofocus: email === undefined })}
      />
    </div>
    ${passwordField(t, { ...password, autofocus: email !== undefined })}
    <button class="button">${password.submit}</button>
  </form>`
}

function passwordField(
  t: Translator['t'],
  field: {
    autocomplete: 'current-password' | 'new-password'
    describedBy: string | undefined
    autofocus: boolean
    hint?: string
  },
): Html {
  const { describedBy, autofocus } = field
  return html`<div class="field">
    <label for="password">${t('sign_in.password')}</label>
    <input
      id="password"
      name="password"
      type="password"
      required
      autocomplete="${field.autocomplete}"
      maxlength="${PASSWORD_LENGTH_MAX}"
      ${attributes({ 'aria-describedby': describedBy, autofocus })}
    />
    ${field.hint === undefined ? '' : html`<p class="hint" id="password-rule">${field.hint}</p>`}
  </div>`
}

/** Leaves out attributes that are undefined or false. Values are constants and not escaped. */
function attributes(values: Record<string, string | boolean | undefined>): Html {
  const present = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== false,
  )
  return raw(
    present.map(([name, value]) => (value === true ? name : `${name}="${value}"`)).join(' '),
  )
}
