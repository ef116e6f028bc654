import english from '../../../locales/console/en/routes.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('routes', english)
