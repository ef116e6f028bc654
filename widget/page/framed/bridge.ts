import { type FromHost, heard, said } from '../../../shared/embed-messages.ts'
import type { PageModel } from '../../../shared/page-model.ts'
import type { Checkout } from '../checkout.ts'
import { applyColorScheme, applyFrameStyles } from './frame-styles.ts'
import { hostOf, originAround } from './host.ts'
import { handleDialogKeys } from './keyboard.ts'
import { keepLanguage } from './requested-language.ts'
import { openLinksOutside } from './links.ts'
import { reportHeight } from './report-height.ts'
import { mustStay, reportStatus, type Say, statusOf } from './report-status.ts'
import type { Leaving } from '../store.ts'
import { translator } from '../translator.ts'

/** A page around that does not answer by then is not one of ours, and this one goes on alone. */
const ANSWER_MS = 3000
/** CSS pixels; the larger one of the sizes that 3-D Secure knows, beside the whole screen. */
const BANK_HEIGHT = 600

export type Bridge = ReturnType<typeof createBridge>

/**
 * What a framed page tells the page around it, and hears from it (contract section 18). Who may be
 * around it the browser has decided already, by the instance's allowed origins.
 */
export function createBridge(model: PageModel) {
  const host = hostOf(model.embed_origins)

  const say: Say = (type, detail) => {
    if (host) parent.postMessage(said(host.frame, type, detail), host.origin)
  }

  return {
    origin: host?.origin ?? originAround(model.embed_origins),

    /** To the bank: inside the frame where the bank allows that, else through the page around. */
    go(url: string, { to, in_frame }: Leaving): void {
      if (to === 'BANK') say('action', { url, top: !in_frame })
      if (!in_frame) return
      // Its page cannot tell how high it is.
      say('resize', { height: Math.max(innerHeight, BANK_HEIGHT) })
      location.assign(url)
    },

    /** Begins to speak and to listen. Resolves once the payer can see the page. */
    async connect(checkout: Checkout, content: Element): Promise<void> {
      openLinksOutside(() => bankInside(checkout))
      if (!host) return
      applyFrameStyles(host.overlay ? 'overlay' : 'inline')
      if (host.theme) applyColorScheme(host.theme)
      const shown = listen()
      const { language, merchant, strings, direction } = checkout.checkout.value
      // The page around has a main part too; this one is told from it by its name.
      content.querySelector('main')?.setAttribute('aria-label', merchant)
      const close = translator(strings, language)('a11y.close')
      say('ready', { title: document.title, close, direction })
      reportStatus(checkout, say)
      keepLanguage(checkout)
      reportHeight(content, (height) => say('resize', { height }))
      if (host.overlay) {
        handleDialogKeys({ escape: leave, edge: () => say('focus-edge', undefined) })
      }
      await shown

      function listen(): Promise<void> {
        return new Promise((resolve) => {
          const alone = setTimeout(resolve, ANSWER_MS)
          addEventListener('message', (event) => {
            const message = host && heard<FromHost>(event, parent, host.origin, host.frame)
            if (!message) return
            clearTimeout(alone)
            const { type, detail } = message
            if (type === 'close?') leave()
            if (type === 'theme') applyColorScheme(detail.theme)
            if ((type === 'init' || type === 'visibility') && detail.visible) resolve()
          })
        })
      }

      /** The payer wants to go. While a payment is under way they are told why they may not. */
      function leave(): void {
        if (!mustStay(checkout)) return say('close', undefined)
        checkout.notice.value = { tone: 'news', id: 'status.stay' }
        checkout.attention.value += 1
        say('status', { status: statusOf(checkout) })
      }
    },
  }
}

function bankInside(checkout: Checkout): string | undefined {
  const action = checkout.leaving.value ?? checkout.checkout.value.result?.action
  return action?.in_frame ? action.url : undefined
}
