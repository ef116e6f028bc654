import english from '../../../locales/console/en/payments.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('payments', english)
