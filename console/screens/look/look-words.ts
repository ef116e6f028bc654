import english from '../../../locales/console/en/look.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('look', english)
