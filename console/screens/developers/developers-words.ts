import english from '../../../locales/console/en/developers.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('developers', english)
