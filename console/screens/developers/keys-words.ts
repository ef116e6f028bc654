import english from '../../../locales/console/en/keys.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('keys', english)
