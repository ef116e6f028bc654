import english from '../../../locales/console/en/users.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('users', english)
