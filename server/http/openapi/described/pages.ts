import { z } from 'zod'
import { nestedError } from '../../../../shared/schemas/error-bodies.ts'
import type { DescribedRoute } from '../mount.ts'

/** Pages for people, whose errors are pages too. */

const lang = z.string().optional().meta({
  description: 'Language of the page; without it the browser’s languages decide.',
  example: 'fr',
})
const signInQuery = z.object({
  return: z.string().optional().meta({ description: 'Path to go to after signing in.' }),
  lang,
})
const signInEmail = z.string().meta({ description: 'E-mail address of the user.' })
const signInPassword = z.string().meta({ description: 'Password of the user.' })

const formToken = z.string().optional().meta({ description: 'From the hidden field of the page.' })

const authorizeQuery = z.object({
  response_type: z.string().optional().meta({ description: 'Always `code`.' }),
  client_id: z.string().optional().meta({ description: 'Id of the platform.' }),
  redirect_url: z.string().optional().meta({
    description: 'Redirect target for the code. It must be registered for the platform.',
  }),
  redirect_uri: z.string().optional().meta({ description: 'The same as redirect_url.' }),
  scope: z.string().optional().meta({
    description: 'Scopes, separated by spaces; all that the platform may have if omitted.',
  }),
  state: z.string().optional().meta({ description: 'Returned unchanged to redirect_url.' }),
  code_challenge: z.string().optional().meta({ description: 'PKCE (RFC 7636).' }),
  code_challenge_method: z
    .string()
    .optional()
    .meta({ description: 'Always `S256`; required with `code_challenge`.' }),
  lang,
})

const unsubscribeParams = z.object({
  token: z.string().meta({ description: 'The token of the link in the mail.' }),
})

const failures = {
  400: 'html',
  405: 'html',
  421: nestedError,
  429: 'html',
  500: 'html',
  503: 'html',
} as const

export const PAGES: readonly DescribedRoute[] = [
  {
    method: 'get',
    path: '/oauth/authorize',
    tag: 'oauth',
    operation: 'authorize',
    summary: 'Ask a merchant for access',
    description:
      "A platform sends the merchant's browser here. The merchant signs in and decides; the " +
      'browser is then redirected to redirect_url with code and state, or with error, ' +
      'error_description and state. If the client or redirect_url is unknown, an error page ' +
      'is returned.',
    query: authorizeQuery,
    responses: { 200: 'html', 303: null, 403: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/oauth/authorize',
    tag: 'oauth',
    operation: 'decide_authorization',
    summary: 'Approve or deny access',
    description: 'Body of the form on the page. It requires the session cookie.',
    query: authorizeQuery,
    form: z.looseObject({
      token: formToken,
      decision: z
        .string()
        .optional()
        .meta({ description: 'Decision of the merchant: `approve` or `deny`.' }),
      instance: z.string().optional().meta({ description: 'Key of the instance.' }),
    }),
    responses: { 200: 'html', 303: null, 403: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/',
    tag: 'pages',
    operation: 'open_front_page',
    summary: 'Open the front page',
    description: 'Returns a page with directions for payers, users and developers.',
    query: signInQuery.pick({ lang: true }),
    responses: { 200: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/docs',
    tag: 'pages',
    operation: 'open_docs',
    summary: 'Open the documentation',
    description:
      'Returns the contents of the guides, which are at this address and below it: each by its name, a search at ' +
      '`/docs/search`, and the reference of the API at `/docs/reference`.',
    responses: { 200: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/console',
    tag: 'pages',
    operation: 'open_console',
    summary: 'Open the console',
    description:
      'Returns the page of the console, at this address and all below it. It opens by navigation only; ' +
      'a browser without a session is redirected to the sign-in page.',
    responses: { 200: 'html', 303: null, 403: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/sign-in',
    tag: 'pages',
    operation: 'open_sign_in_page',
    summary: 'Open the sign-in page',
    description:
      'Returns the form. A user who is signed in already is redirected to the path in `return`.',
    query: signInQuery,
    responses: { 200: 'html', 303: null, ...failures },
  },
  {
    method: 'post',
    path: '/sign-in',
    tag: 'pages',
    operation: 'sign_in',
    summary: 'Sign in',
    description: 'Body of the form on the page. On success, the session cookie is set.',
    query: signInQuery,
    form: z.looseObject({ token: formToken, email: signInEmail, password: signInPassword }),
    responses: { 303: null, 403: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/sign-in/code',
    tag: 'pages',
    operation: 'open_sign_in_code_page',
    summary: 'Open the page of the second factor',
    description:
      'Returns the form for a one-time code or a recovery code. A browser in which no password was ' +
      'given within ten minutes is redirected to the sign-in page.',
    query: signInQuery,
    responses: { 200: 'html', 303: null, ...failures },
  },
  {
    method: 'post',
    path: '/sign-in/code',
    tag: 'pages',
    operation: 'sign_in_with_code',
    summary: 'Sign in with a second factor',
    description: 'Body of the form on the page. Starts the session.',
    query: signInQuery,
    form: z.looseObject({
      token: formToken,
      code: z.string().meta({ description: 'A one-time code or a recovery code.' }),
    }),
    responses: { 303: null, 403: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/sign-out',
    tag: 'pages',
    operation: 'sign_out',
    summary: 'Sign out',
    description: 'Ends the session of the browser, and goes on to the sign-in page.',
    query: signInQuery.pick({ return: true }),
    form: z.looseObject({ token: formToken }),
    responses: { 303: null, 403: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/sign-in/first/:token',
    tag: 'pages',
    operation: 'open_first_user_page',
    summary: 'Open the page of the first user',
    description: 'The page behind the link that a new server prints. Opening it uses nothing up.',
    params: z.object({ token: z.string().meta({ description: 'The secret of the link.' }) }),
    query: z.object({ lang }),
    responses: { 200: 'html', 410: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/sign-in/first/:token',
    tag: 'pages',
    operation: 'create_first_user',
    summary: 'Create the first user',
    description: 'Body of the form on the page. On success, the user is created and signed in.',
    params: z.object({ token: z.string().meta({ description: 'The secret of the link.' }) }),
    query: z.object({ lang }),
    form: z.looseObject({ token: formToken, email: signInEmail, password: signInPassword }),
    responses: { 303: null, 403: 'html', 410: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/sign-in/invitation/:token',
    tag: 'pages',
    operation: 'open_invitation_page',
    summary: 'Open the page of an invitation',
    description: 'The page behind the link that an invited user gets. Opening it uses nothing up.',
    params: z.object({ token: z.string().meta({ description: 'The secret of the link.' }) }),
    query: z.object({ lang }),
    responses: { 200: 'html', 410: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/sign-in/invitation/:token',
    tag: 'pages',
    operation: 'accept_invitation',
    summary: 'Accept an invitation',
    description:
      'Body of the form on the page. On success, the password is set and the user is signed in; a user ' +
      'with a second factor is asked for it first.',
    params: z.object({ token: z.string().meta({ description: 'The secret of the link.' }) }),
    query: z.object({ lang }),
    form: z.looseObject({ token: formToken, password: signInPassword }),
    responses: { 303: null, 403: 'html', 410: 'html', ...failures },
  },
  {
    method: 'get',
    path: '/unsubscribe/:token',
    tag: 'payer',
    operation: 'open_unsubscribe_page',
    summary: 'Open the page at which a customer refuses notices',
    description: 'The page behind the link in a notice by mail. Changes nothing.',
    params: unsubscribeParams,
    responses: { 200: 'html', 404: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/unsubscribe/:token',
    tag: 'payer',
    operation: 'unsubscribe',
    summary: 'Refuse notices by mail',
    description:
      'Sets `mail_notices` of the account to false. The body is ignored, so that mail programs can ' +
      'unsubscribe with one click (RFC 8058).',
    params: unsubscribeParams,
    responses: { 200: 'html', 404: 'html', ...failures },
  },
  {
    method: 'post',
    path: '/unsubscribe/:token/resume',
    tag: 'payer',
    operation: 'resume_notices',
    summary: 'Get notices by mail again',
    description: 'Sets `mail_notices` of the account to true. The body is ignored.',
    params: unsubscribeParams,
    responses: { 200: 'html', 404: 'html', ...failures },
  },
]
