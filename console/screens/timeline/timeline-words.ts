import english from '../../../locales/console/en/timeline.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('timeline', english)
