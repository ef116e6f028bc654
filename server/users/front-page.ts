import type { Hono } from 'hono'
import { renderPage } from './layout.ts'
import { frontPageContent } from './pages.ts'
import { allowMethods } from './error-pages.ts'
import { requestTranslator } from './translator.ts'

/** `/`: points payers, merchants and developers to their pages. */
export function frontPageRoutes(app: Hono): void {
  app.get('/', (c) => {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.front_title')
    return renderPage(c, { translator, title, content: frontPageContent(translator) })
  })
  allowMethods(app, '/', 'GET')
}
