import { type FromHost, receiveMessage, createMessage } from '../../../shared/embed-messages.ts'
import type { PageModel } from '../../../shared/page-model.ts'
import type { Checkout } from '../checkout.ts'
import type { Redirect } from '../screen.ts'
import { translatorFor } from '../translator.ts'
import { applyColorScheme, applyFrameStyles } from './frame-styles.ts'
import { ancestorOrigin, findHost, type Host } from './host.ts'
import { handleDialogKeys } from './keyboard.ts'
import { openLinksOutside } from './links.ts'
import { reportHeight } from './report-height.ts'
import { isPaymentUnderWay, type PostToHost, reportStatus, statusOf } from './report-status.ts'
import { applyRequestedLanguage } from './requested-language.ts'

/** A host page that takes longer does not use the embed script. */
const HOST_TIMEOUT_MS = 3000
/** CSS pixels; the larger window size of 3-D Secure besides full screen. */
const BANK_HEIGHT = 600

export type Bridge = ReturnType<typeof createBridge>

/**
 * The messages between a framed page and its host page. The browser has already checked that the
 * host's origin may frame this page.
 */
export function createBridge(model: PageModel) {
  const host = findHost(model.embed_origins)

  const post: PostToHost = (type, detail) => {
    if (host) parent.postMessage(createMessage(host.frame, type, detail), host.origin)
  }

  return {
    origin: host?.origin ?? ancestorOrigin(model.embed_origins),

    /** To the bank: inside the frame where the bank allows it, else by the host page. */
    navigate({ url, to, in_frame }: Redirect): void {
      if (to === 'BANK') post('action', { url, top: !in_frame })
      if (!in_frame) return
      // The bank's page does not report its height.
      post('resize', { height: Math.max(innerHeight, BANK_HEIGHT) })
      location.assign(url)
    },

    /** Starts the exchange of messages. Resolves once the payer can see the page. */
    async connect(checkout: Checkout, content: Element): Promise<void> {
      openLinksOutside(() => framedBankUrl(checkout))
      if (!host) return
      applyFrameStyles(host.overlay ? 'overlay' : 'inline')
      if (host.theme) applyColorScheme(host.theme)
      const visible = listen(host, checkout)
      const { language, merchant, strings, direction } = checkout.checkout.value
      // Tells this main landmark from the host page's.
      content.querySelector('main')?.setAttribute('aria-label', merchant)
      const close = translatorFor(strings, language)('a11y.close')
      post('ready', { title: document.title, close, direction })
      reportStatus(checkout, post)
      applyRequestedLanguage(checkout)
      reportHeight(content, (height) => post('resize', { height }))
      if (host.overlay) {
        handleDialogKeys({
          onEscape: () => requestClose(checkout),
          onLeave: () => post('focus-edge', undefined),
        })
      }
      await visible
    },
  }

  /** Handles the messages of the host page. Resolves once it reports that the frame is visible. */
  function listen({ frame, origin }: Host, checkout: Checkout): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HOST_TIMEOUT_MS)
      addEventListener('message', (event) => {
        const message = receiveMessage<FromHost>(event, parent, origin, frame)
        if (!message) return
        clearTimeout(timer)
        const { type, detail } = message
        if (type === 'close?') requestClose(checkout)
        if (type === 'theme') applyColorScheme(detail.theme)
        if ((type === 'init' || type === 'visibility') && detail.visible) resolve()
      })
    })
  }

  /** Closes the checkout, or tells the payer why it must stay open. */
  function requestClose(checkout: Checkout): void {
    if (!isPaymentUnderWay(checkout)) return post('close', undefined)
    checkout.notice.value = { tone: 'news', id: 'status.stay' }
    checkout.focusRequests.value += 1
    post('status', { status: statusOf(checkout) })
  }
}

function framedBankUrl({ step, checkout }: Checkout): string | undefined {
  const action = typeof step.value === 'object' ? step.value : checkout.value.result?.action
  return action?.in_frame ? action.url : undefined
}
