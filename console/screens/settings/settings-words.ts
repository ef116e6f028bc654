import english from '../../../locales/console/en/settings.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('settings', english)
