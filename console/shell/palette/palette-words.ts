import english from '../../../locales/console/en/palette.json' with { type: 'json' }
import { defineWords } from '../../words.ts'

/** The texts of the search. */
export const t = defineWords('palette', english)
