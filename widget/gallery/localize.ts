import { readFileSync, readdirSync } from 'node:fs'
import { taskStrings } from '../../server/pay-page/task-strings.ts'
import { exhaustedStrings } from '../../shared/rules/exhausted-strings.ts'
import { textDirection } from '../../shared/rules/text-direction.ts'
import type { PageModel } from '../../shared/page-model.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'
import { trialStrings } from '../../shared/rules/trial-strings.ts'
import type { Strings } from '../../shared/rules/wording.ts'
import type { Scene } from './scene.ts'

const FOLDER = new URL('../../locales/', import.meta.url)

/** Every language that ships, English first. */
export const ALL_LANGUAGES: readonly string[] = [
  'default',
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json') && name !== 'default.json')
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted(),
]

/** Returns a scene in one of the shipped languages; the merchant's own text stays. */
export function localizeScene(scene: Scene, language: string): Scene {
  if (language === 'default') return scene
  const { current } = scene
  return {
    ...scene,
    model: inLanguage(scene.model, language),
    ...(current === undefined ? {} : { current: inLanguage(current, language) }),
  }
}

/** The shipped strings of a language. */
export function wordsOf(language: string): Strings {
  return JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as Strings
}

function inLanguage(model: PageModel, language: string): PageModel {
  const words = wordsOf(language)
  const { checkout } = model
  const { strings } = checkout
  const isExhausted = strings['status.unavailable'] === strings['status.exhausted']
  const isTask = 'task_action' in model
  const isTrial = (checkout.terms.recurring?.trial_days ?? 0) > 0
  const translated = { ...strings, ...(isExhausted ? exhaustedStrings(words) : words) }
  return {
    ...model,
    number_style: numberStyle(language),
    checkout: {
      ...checkout,
      language,
      direction: textDirection(language),
      strings: isTask ? taskStrings(translated) : isTrial ? trialStrings(translated) : translated,
    },
  }
}
