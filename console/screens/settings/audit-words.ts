import english from '../../../locales/console/en/audit.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('audit', english)
