import type { Hono } from 'hono'
import { showPage } from './layout.ts'
import { frontContent } from './pages.ts'
import { refuseOtherMethodsOf } from './error-pages.ts'
import { createTranslator } from './translator.ts'

/** Serves `/`: where to go from here, for payers, merchants' users and developers. */
export function frontPage(app: Hono): void {
  app.get('/', (c) => {
    const words = createTranslator(c, c.req.query('lang'))
    const title = words.t('sign_in.front_title')
    return showPage(c, { words, title, content: frontContent(words) })
  })
  refuseOtherMethodsOf(app, '/', 'GET')
}
