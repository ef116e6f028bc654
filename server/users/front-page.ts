import type { Hono } from 'hono'
import type { AppEnv } from '../http/router.ts'
import { showPage } from './layout.ts'
import { frontContent } from './pages.ts'
import { refuseOtherMethodsOf } from './error-pages.ts'
import { requestTranslator } from './translator.ts'

/** Serves `/`: where to go from here, for payers, merchants' users and developers. */
export function frontPage(app: Hono<AppEnv>): void {
  app.get('/', (c) => {
    const translator = requestTranslator(c)
    const title = translator.t('sign_in.front_title')
    return showPage(c, { translator, title, content: frontContent(translator) })
  })
  refuseOtherMethodsOf(app, '/', 'GET')
}
