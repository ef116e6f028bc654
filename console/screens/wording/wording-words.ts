import english from '../../../locales/console/en/wording.json'
import { defineWords } from '../../words.ts'

export const t = defineWords('wording', english)

/** The name of a state of the page, which the frame tells by its own name. */
export function sceneLabel(name: string): string {
  const id = `scene_${name.replaceAll('-', '_')}`
  return Object.hasOwn(english, id) ? t(id as 'scene_form') : name
}

/** Names a language in English, such as French. */
export function languageName(language: string): string {
  if (language === 'default') return t('base')
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language
}
