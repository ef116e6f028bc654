import english from '../../locales/console/en/common.json' with { type: 'json' }
import { defineWords } from '../words.ts'

/** The texts that several screens share. */
export const t = defineWords('common', english)
