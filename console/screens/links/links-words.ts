import english from '../../../locales/console/en/links.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('links', english)
