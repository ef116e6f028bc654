import english from '../../locales/console/en/preview.json'
import { defineWords } from '../words.ts'

export const t = defineWords('preview', english)
