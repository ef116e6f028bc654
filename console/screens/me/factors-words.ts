import english from '../../../locales/console/en/factors.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('factors', english)
