import english from '../../../locales/console/en/processors.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('processors', english)
