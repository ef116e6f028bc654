import english from '../../../locales/console/en/charges.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('charges', english)
