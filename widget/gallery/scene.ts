import type { FrameLocator, Page } from '@playwright/test'
import type { PageModel, SubmitAnswer } from '../../shared/page-model.ts'

/** The payer's page, or the frame that it stands in. */
export type Place = Page | FrameLocator

/** An answer that the page must cope with, by its HTTP status. */
export interface Refused {
  refused: number
  headers?: Record<string, string>
}

/** What a picture shows: a model, what the server answers, and what the payer does. */
export interface Scene {
  model: PageModel
  /** The session after it was opened, where it differs from the model. */
  current?: PageModel
  /** NEVER leaves the request open, LOST breaks the connection. */
  submit?: SubmitAnswer | Refused | 'NEVER' | 'LOST'
  open?: 'LOST'
  /** LOST breaks the connection whenever the page asks how things stand. */
  wait?: 'LOST'
  act?: (place: Place) => Promise<void>
  /** What must be in sight before the picture is taken, as a selector. */
  until?: string
  script?: 'MISSING'
  /** The merchant's theme. */
  css?: string
  /** The page stands in a shop's page. */
  framed?: 'inline' | 'overlay'
  /** Until that is in sight, the payer’s clock runs on in steps of so many milliseconds. */
  later?: number
}

/** An address that answers with nothing to show (204), so that the page that leaves stays. */
export const NOWHERE = '/nowhere'

/** When scenes take place whose clock runs on. */
export const THEN = '2031-03-14T15:00:00.000Z'
