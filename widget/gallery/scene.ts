import type { FrameLocator, Page } from '@playwright/test'
import type { PageModel, SubmitResponse, TaskPageModel } from '../../shared/page-model.ts'
import type { DeepLinkTask, OpenTaskResponse } from '../../shared/schemas/deep-link-task.ts'

/** The payer's page, or its frame. */
export type PageOrFrame = Page | FrameLocator

/** An error response by its HTTP status. */
export interface ErrorResponse {
  errorStatus: number
  headers?: Record<string, string>
}

/** The model of a picture, the server's responses and the payer's actions. */
export interface Scene {
  model: PageModel | TaskPageModel
  /** The open session, where it differs from the model. */
  current?: PageModel
  /** NEVER leaves the request open, LOST breaks the connection. */
  submit?: SubmitResponse | ErrorResponse | 'NEVER' | 'LOST'
  open?: 'LOST'
  /** LOST breaks the connection of every poll. */
  poll?: 'LOST'
  act?: (place: PageOrFrame) => Promise<void>
  /** The selector of an element that must be visible before the picture is taken. */
  until?: string
  /** The page of a customer's task: what the server answers to its requests. */
  task?: {
    opened: OpenTaskResponse | ErrorResponse | 'NEVER' | 'LOST'
    /** To a method that is saved, and to each poll. */
    saved?: DeepLinkTask | ErrorResponse | 'NEVER'
    /** To a change of the contract. */
    changed?: DeepLinkTask | ErrorResponse | 'NEVER'
  }
  script?: 'MISSING'
  /** The page has connected Stripe, whose script is a stand-in, or cannot be loaded. */
  stripe?: 'SHOWN' | 'BLOCKED'
  /** The merchant's theme. */
  css?: string
  /** The page is embedded in a merchant's page. */
  framed?: 'inline' | 'overlay'
  /** Advances the payer's clock by steps of so many milliseconds until `until` is visible. */
  advanceMs?: number
}

/** A path that responds with 204, so that a redirect leaves the page in place. */
export const NO_CONTENT_PATH = '/nowhere'

/** The start of a scene whose clock is advanced. */
export const START_TIME = '2031-03-14T15:00:00.000Z'
