import { html, raw } from 'hono/html'
import {
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../auth/credential-rules.ts'
import type { Translator } from './translator.ts'
import { type Html, errorNotice } from './layout.ts'

/** What the pages of signing in hold. Every form goes to the address that the page has. */

interface SignInView {
  token: string
  /** The platform that somebody came from. */
  client: string | undefined
  /** What was typed before, so that it need not be typed again. */
  email?: string
  problem?: string
}

export function signInContent({ t }: Translator, view: SignInView): Html {
  return html`<h1>${t('sign_in.title')}</h1>
    ${
      view.client === undefined
        ? ''
        : html`<p class="lead">${t('sign_in.for_client', { client: view.client })}</p>`
    }
    <form method="post">
      ${view.problem === undefined ? '' : errorNotice(view.problem)}
      <input type="hidden" name="token" value="${view.token}" />
      ${emailField(t('details.email'), view.email, view.problem)}
      ${passwordField(t('sign_in.password'), {
        autocomplete: 'current-password',
        autofocus: view.email !== undefined,
        describedBy: view.problem === undefined ? undefined : 'problem',
      })}
      <button class="button">${t('sign_in.title')}</button>
    </form>`
}

interface FirstView {
  token: string
  email?: string
  problem?: string
}

/** The page behind the link that a new server prints. */
export function firstUserContent({ t }: Translator, view: FirstView): Html {
  const rule = t('sign_in.password_rule', { minimum: PASSWORD_LENGTH_MIN })
  // Said once: as the problem, or as what to mind.
  const hint = view.problem === rule ? {} : { hint: rule }
  return html`<h1>${t('sign_in.first_title')}</h1>
    <p class="lead">${t('sign_in.first_intro')}</p>
    <form method="post">
      ${view.problem === undefined ? '' : errorNotice(view.problem)}
      <input type="hidden" name="token" value="${view.token}" />
      ${emailField(t('details.email'), view.email, view.problem)}
      ${passwordField(t('sign_in.password'), {
        autocomplete: 'new-password',
        autofocus: view.email !== undefined,
        describedBy: view.problem === rule ? 'problem' : 'password-rule',
        ...hint,
      })}
      <button class="button">${t('sign_in.first_create')}</button>
    </form>`
}

/** Where somebody lands who signs in without having come for anything. */
export function signedInContent(
  { t }: Translator,
  view: { email: string; signOut: SignOutForm },
): Html {
  return html`<h1>${t('sign_in.signed_in', { email: view.email })}</h1>
    <form method="post" action="${view.signOut.path}">
      <input type="hidden" name="token" value="${view.signOut.token}" />
      <button class="button quiet">${t('sign_in.sign_out')}</button>
    </form>`
}

/** The page at `/`, for people who have no other address of the server. */
export function frontPageContent({ t }: Translator): Html {
  return html`<h1>${t('sign_in.front_title')}</h1>
    <p class="lead">${t('sign_in.front_payer')}</p>
    <nav>
      <a href="/sign-in">${t('sign_in.title')}</a>
      <a href="/openapi.json">${t('sign_in.front_api')}</a>
    </nav>`
}

/** A page that says something and leads nowhere. */
export function noticeContent(title: string, text?: string, detail?: string): Html {
  return html`<h1>${title}</h1>
    ${text === undefined ? '' : html`<p class="lead">${text}</p>`}
    ${detail === undefined ? '' : html`<p class="detail" lang="en" dir="ltr">${detail}</p>`}`
}

export interface SignOutForm {
  path: string
  token: string
}

/** Who is signed in, and the way to be somebody else. */
export function accountContent(
  { t }: Translator,
  view: { email: string; signOut: SignOutForm },
): Html {
  return html`<form class="who" method="post" action="${view.signOut.path}">
    <p>${t('sign_in.signed_in', { email: view.email })}</p>
    <input type="hidden" name="token" value="${view.signOut.token}" />
    <button class="link">${t('sign_in.sign_out')}</button>
  </form>`
}

function emailField(label: string, email: string | undefined, problem: string | undefined): Html {
  return html`<div class="field">
    <label for="email">${label}</label>
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
      ${attributes({ 'aria-describedby': problem && 'problem', autofocus: email === undefined })}
    />
  </div>`
}

function passwordField(
  label: string,
  field: {
    autocomplete: 'current-password' | 'new-password'
    autofocus: boolean
    describedBy: string | undefined
    hint?: string
  },
): Html {
  return html`<div class="field">
    <label for="password">${label}</label>
    <input
      id="password"
      name="password"
      type="password"
      required
      autocomplete="${field.autocomplete}"
      maxlength="${PASSWORD_LENGTH_MAX}"
      ${attributes({ 'aria-describedby': field.describedBy, autofocus: field.autofocus })}
    />
    ${field.hint === undefined ? '' : html`<p class="hint" id="password-rule">${field.hint}</p>`}
  </div>`
}

/** Attributes that stand only where they apply. Names and values are our own. */
function attributes(given: Record<string, string | boolean | undefined>): Html {
  const standing = Object.entries(given).filter(
    ([, value]) => value !== undefined && value !== false,
  )
  return raw(
    standing.map(([name, value]) => (value === true ? name : `${name}="${value}"`)).join(' '),
  )
}
