import english from '../../../locales/console/en/deep-links.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('deep-links', english)
