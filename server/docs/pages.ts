import { html, raw } from 'hono/html'
import { pageDocument } from '../http/page-document.ts'
import type { BuiltDocs, Guide } from './built-docs.ts'
import type { FoundSection } from './search-guides.ts'

/** The pages of `/docs`. They need no script. */

type Parts = Pick<BuiltDocs, 'css' | 'groups' | 'guides'>

/** The server of the samples, in whose place each server puts itself. */
const SAMPLE_URL = 'http://localhost:4242'

/** `baseUrl` is the origin of this server. */
export function guidePage(docs: Parts, guide: Guide, baseUrl: string) {
  const content = guide.html.replaceAll(SAMPLE_URL, baseUrl)
  return page(docs, guide.title, guide.name, html`<article>${raw(content)}</article>`)
}

export function contentsPage(docs: Parts) {
  const groups = docs.groups.map(
    ({ title, guides }) =>
      html`<section>
        <h2>${title}</h2>
        <ul class="contents">
          ${guides.map(
            ({ name, about }) =>
              html`<li>
                <a href="/docs/${name}">${guideOf(docs, name)?.title}</a> <span>${about}</span>
              </li>`,
          )}
        </ul>
      </section>`,
  )
  return page(
    docs,
    'Documentation',
    '',
    html`<article>
      <h1>Documentation</h1>
      <p>
        The commands need the secret key that the server printed at its first start:
        <code>export SECRET_KEY=sk_test_…</code>. <a href="/docs/reference">The reference</a> has
        every call of the API with its members.
      </p>
      ${groups}
    </article>`,
  )
}

export function searchPage(docs: Parts, query: string, found: readonly FoundSection[]) {
  const results = found.map(({ guide, id, title, excerpt }) => {
    const where = guideOf(docs, guide)?.title
    return html`<li>
      <a href="/docs/${guide}${id && `#${id}`}">${title}</a>
      ${where === title ? '' : html`<span>${where}</span>`}
      <p>${excerpt}</p>
    </li>`
  })
  return page(
    docs,
    `Search: ${query}`,
    '',
    html`<article>
      <h1>
        ${found.length === 0 ? html`Nothing is found for “${query}”` : html`Found for “${query}”`}
      </h1>
      ${found.length === 0 ? html`<p>Try fewer words, or <a href="/docs">the contents</a>.</p>` : ''}
      <ol class="found">
        ${results}
      </ol>
    </article>`,
    query,
  )
}

/** The reference, drawn by Scalar in a document that reaches nothing of this server but its description. */
export function referencePage({ scalar, storage }: Pick<BuiltDocs, 'scalar' | 'storage'>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>API reference</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <noscript
          >The reference needs JavaScript. <a href="/openapi.json">The description</a> does
          not.</noscript
        >
        ${raw(`<script id="api-reference" data-url="/openapi.json" data-configuration="${attribute(SCALAR)}"></script>`)}
        <script src="${storage}"></script>
        <script src="${scalar}"></script>
      </body>
    </html>`
}

/** Nothing is asked of other servers, and nothing is sent with the keys of readers. */
const SCALAR = JSON.stringify({
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideTestRequestButton: true,
  withDefaultFonts: false,
  persistAuth: false,
  theme: 'default',
})

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const guideOf = ({ guides }: Parts, name: string) => guides.find((guide) => guide.name === name)

function page(docs: Parts, title: string, current: string, content: unknown, query = '') {
  const groups = docs.groups.map(
    (group) =>
      html`<h2>${group.title}</h2>
        <ul>
          ${group.guides.map(
            ({ name }) =>
              html`<li>
                <a href="/docs/${name}" ${name === current ? raw('aria-current="page"') : ''}
                  >${guideOf(docs, name)?.title}</a
                >
              </li>`,
          )}
        </ul>`,
  )
  return pageDocument({
    language: 'en',
    direction: 'ltr',
    title: `${title} – Checkstand`,
    styles: [docs.css],
    body: html`<a class="skip" href="#content">Skip to the content</a>
      <header>
        <a class="brand" href="/docs">Checkstand</a>
        <form role="search" action="/docs/search">
          <input
            type="search"
            name="q"
            aria-label="Search the guides"
            placeholder="Search"
            value="${query}"
            maxlength="200"
          />
        </form>
        <a href="/docs/reference">Reference</a>
      </header>
      <div class="columns">
        <nav aria-label="Guides">
          <details class="menu">
            <summary>Guides</summary>
            ${groups}
          </details>
          <div class="wide">${groups}</div>
        </nav>
        <main id="content">${content}</main>
      </div>`,
  })
}
