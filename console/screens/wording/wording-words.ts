import type { WordingProblem } from '../../../shared/rules/wording-problem.ts'
import english from '../../../locales/console/en/wording.json'
import { defineWords } from '../../words.ts'

export const t = defineWords('wording', english)

/** The name of a state of the page, which the frame tells by its own name. */
export function sceneLabel(name: string): string {
  const id = `scene_${name.replaceAll('-', '_')}`
  return Object.hasOwn(english, id) ? t(id as 'scene_form') : name
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Names a language in English, such as French. */
export function languageName(language: string): string {
  if (language === 'default') return t('base')
  return names.of(language) ?? language
}

/** Returns what is wrong with a text. */
export function problemText(problem: WordingProblem): string {
  switch (problem.rule) {
    case 'LENGTH':
      return t('problem_length')
    case 'CHARACTERS':
      return t('problem_characters')
    case 'CARD_NUMBER':
      return t('problem_card')
    case 'PRIVATE_USE':
      return t('problem_private')
    case 'BRACES':
      return t('problem_braces')
    case 'PLACEHOLDER':
      return t('problem_placeholder', { name: `{${problem.name}}` })
  }
}
