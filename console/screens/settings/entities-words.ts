import english from '../../../locales/console/en/entities.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

export const t = defineWords('entities', english)
