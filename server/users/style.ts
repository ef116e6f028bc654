import { readFileSync } from 'node:fs'
import { ROOT } from '../root.ts'

/** The style sheet of the pages for merchants, with the theme of the payer's page. */
export const STYLE = ['widget/ui/theme.css', 'server/users/pages.css']
  .map((path) => readFileSync(new URL(path, ROOT), 'utf8'))
  .join('\n')
