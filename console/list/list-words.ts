import english from '../../locales/console/en/list.json' with { type: 'json' }
import { defineWords } from '../words.ts'

export const t = defineWords('list', english)
