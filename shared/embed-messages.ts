/**
 * What an embedded payment page and the page around it say to each other (contract section 18).
 * Both sides speak through this file, so that neither can forget a check of the other's.
 */

/** The session as the host may know it; one that is being paid may not be closed. */
export type FrameStatus = 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' | 'EXPIRED'

/** What the payer just reached. It is news, never proof: proof comes from the API or a webhook. */
export interface Completion {
  payment_link: string
  status: 'COMPLETED' | 'PENDING'
  transaction?: string
  account?: string
  /** Where the host takes the payer next, unless it prevents that; absent where a receipt stays. */
  redirect?: string
}

/** From the frame to its host. */
export interface FrameMessages {
  /** The page has come alive; its words name the frame and the button that closes it. */
  ready: { title: string; close: string; direction: 'ltr' | 'rtl' }
  /** Height of the content in CSS pixels. */
  resize: { height: number }
  status: { status: FrameStatus }
  /** The payer goes to their bank: in the whole window, or inside the frame where `top` is false. */
  action: { url: string; top: boolean }
  complete: Completion
  /** The payer wants to leave, or the answer to `close?` is yes. */
  close: undefined
  error: { code: 'GONE' | 'NO_CONNECTION' }
  /** The focus left the last element of the frame. */
  'focus-edge': undefined
}

/** From the host to its frame. */
export interface HostMessages {
  /** The answer to `ready`. */
  init: Visibility
  /** Asks for leave to close; the frame answers `close`, or `status` while it must stay. */
  'close?': undefined
  /** The CSS `color-scheme` of the page around, such as `light dark`, has changed. */
  theme: { theme: string }
  visibility: Visibility
}

interface Visibility {
  /** Whether the payer can see the frame: one that is only kept warm opens no session. */
  visible: boolean
}

type MessageOf<Messages> = {
  [Type in keyof Messages]: { type: Type; detail: Messages[Type] }
}[keyof Messages]

export type FromFrame = MessageOf<FrameMessages>
export type FromHost = MessageOf<HostMessages>

/**
 * The message in an event, or false for everything that does not come from the one window
 * `source`, of exactly `origin`, with the nonce of `frame`; nor for an event that a script made up.
 */
export function receiveMessage<Message extends FromFrame | FromHost>(
  event: { isTrusted: boolean; source: unknown; origin: string; data: unknown },
  source: unknown,
  origin: string,
  frame: string,
): Message | false {
  const data = event.data as { checkstand?: unknown; frame?: unknown } | null | undefined
  const ours =
    event.isTrusted &&
    event.source === source &&
    event.origin === origin &&
    data?.checkstand === 1 &&
    data.frame === frame
  return ours && (data as Message)
}

/** A message in the form in which it travels. */
export interface Envelope {
  checkstand: 1
  /** The nonce of the frame that it comes from or goes to. */
  frame: string
  type: string
  detail?: object | undefined
}

export function createMessage(frame: string, type: string, detail?: object): Envelope {
  return { checkstand: 1, frame, type, detail }
}
