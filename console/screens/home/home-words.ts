import english from '../../../locales/console/en/home.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('home', english)
