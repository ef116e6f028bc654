/**
 * The `postMessage` protocol between an embedded payment page (frame) and its host page. Both sides
 * use `createMessage` and `receiveMessage`, so that no check of a sender can be forgotten.
 */

/** Status of the session. The host must not close a frame in status SUBMITTED. */
export type FrameStatus = 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED'

/** The result of a payment. Not a proof of payment: that is the API or a webhook. */
export interface Completion {
  payment_link: string
  status: 'COMPLETED' | 'PENDING'
  transaction?: string
  account?: string
  /** The next page of the payer, unless the host prevents it; absent if the receipt stays. */
  redirect?: string
}

/** From the frame to the host. */
export interface FrameMessages {
  /** The page has started. Accessible names for the frame and its close button. */
  ready: { title: string; close: string; direction: 'ltr' | 'rtl' }
  /** Height of the content in CSS pixels. */
  resize: { height: number }
  status: { status: FrameStatus }
  /** The payer must authenticate at `url`: in the top window, or inside the frame if `top` is false. */
  action: { url: string; top: boolean }
  complete: Completion
  /** The payer closes the page, or the frame accepts `close?`. */
  close: undefined
  error: { code: 'GONE' | 'NO_CONNECTION' }
  /** The focus left the last element of the frame. */
  'focus-edge': undefined
}

/** From the host to the frame. */
export interface HostMessages {
  /** The response to `ready`. */
  init: Visibility
  /** Asks to close. The frame responds with `close`, or with `status` if it cannot close. */
  'close?': undefined
  /** The CSS `color-scheme` of the host page, such as `light dark`, has changed. */
  theme: { theme: string }
  visibility: Visibility
}

interface Visibility {
  /** A preloaded frame is hidden and opens no session. */
  visible: boolean
}

type MessageOf<Messages> = {
  [Type in keyof Messages]: { type: Type; detail: Messages[Type] }
}[keyof Messages]

export type FromFrame = MessageOf<FrameMessages>
export type FromHost = MessageOf<HostMessages>

/**
 * Returns the message of an event; false unless the event is trusted and comes from the window
 * `source` and the origin `origin` with the nonce `frame`.
 */
export function receiveMessage<Message extends FromFrame | FromHost>(
  event: { isTrusted: boolean; source: unknown; origin: string; data: unknown },
  source: unknown,
  origin: string,
  frame: string,
): Message | false {
  const data = event.data as { checkstand?: unknown; frame?: unknown } | null | undefined
  const isOurs =
    event.isTrusted &&
    event.source === source &&
    event.origin === origin &&
    data?.checkstand === 1 &&
    data.frame === frame
  return isOurs && (data as Message)
}

export interface Envelope {
  checkstand: 1
  /** Nonce of the frame that sends or receives the message. */
  frame: string
  type: string
  detail?: object | undefined
}

export function createMessage(frame: string, type: string, detail?: object): Envelope {
  return { checkstand: 1, frame, type, detail }
}
