import english from '../../../locales/console/en/platforms.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('platforms', english)
