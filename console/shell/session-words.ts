import english from '../../locales/console/en/session.json' with { type: 'json' }
import { defineWords } from '../words.ts'

export const t = defineWords('session', english)
