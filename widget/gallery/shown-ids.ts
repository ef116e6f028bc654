import type { Page } from '@playwright/test'
import base from '../../locales/default.json' with { type: 'json' }

/** Strings that a page shows by their ids, because it does not have them. */

/** With the stems of plural forms, whose ids have no form when it is missing. */
const STRING_IDS = [
  ...new Set(Object.keys(base).flatMap((id) => [id, id.replace(/_(one|other)$/, '')])),
]

/** Returns the ids of strings in the visible text of a document and of its labels. */
export async function findShownIds(page: Page): Promise<string[]> {
  const text = await page.evaluate(visibleText)
  const words = new Set(text.split(/\s+/))
  return STRING_IDS.filter((id) => words.has(id)).map((id) => `shows the id ${id}`)
}

/** Runs in the page. */
function visibleText(): string {
  const labels = [...document.querySelectorAll('[aria-label], [placeholder]')]
  return [
    document.title,
    document.body.innerText,
    ...labels.flatMap((element) => [
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('placeholder') ?? '',
    ]),
  ].join('\n')
}
