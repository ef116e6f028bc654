import english from '../../../locales/console/en/checkouts.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('checkouts', english)
