import english from '../../../locales/console/en/customers.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('customers', english)
