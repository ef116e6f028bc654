import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { FailpointName } from '../failpoint.ts'
import type { Log } from '../observe/log.ts'
import type { Journal } from './journal.ts'
import type { Processor } from './port.ts'

/** The keys that a merchant has given; those of a change may be missing. */
export interface Keys {
  secret_key?: string | undefined
  publishable_key?: string | undefined
  webhook_secret?: string | undefined
}

/** An account at a processor, as a connection opens it. */
export interface AccountAccess {
  secretKey: string
  settings: unknown
  /** Origin of the processor's API. */
  apiUrl: string
  log: Pick<Log, 'info' | 'warn'>
  signal: AbortSignal
}

/** The processor does not accept the key. */
export class KeyRefused extends Error {}

/** The processor accepts the key, but not for this. */
export class NotPermitted extends Error {}

/**
 * What an adapter asks of the account that a connection is for. Every method throws KeyRefused or
 * NotPermitted for a clear refusal, and another Error when there is no clear answer.
 */
export interface AccountApi {
  /** Returns the id of the account that is paid. */
  readAccount(access: AccountAccess): Promise<string>
  /** The same `key` makes one endpoint. */
  createWebhook(
    access: AccountAccess,
    webhook: { url: string; types: readonly string[]; connection: string; key: string },
  ): Promise<{ endpoint: string; secret: string }>
  deleteWebhook(access: AccountAccess, endpoint: string): Promise<void>
}

/** What one connection is used with. */
export interface AdapterConnection {
  /** Id of the connection. */
  id: string
  /** The keys are test keys. */
  test: boolean
  publishableKey: string
  secretKey: string
  /** The secrets that sign notifications now, the present one first. */
  webhookSecrets: () => readonly string[]
  settings: unknown
  apiUrl: string
  scriptUrl: string
  journal: Journal
  /** Epoch milliseconds, real time. */
  now: () => number
  log: Log
  failpoint: (name: FailpointName) => void
  /** Called with whether the processor accepted the key, for each answer that shows it. */
  onAuthentication?: (accepted: boolean) => void | Promise<void>
  /** Milliseconds before a request is sent again; those of the adapter when left out. */
  retryDelaysMs?: readonly number[]
}

export interface LoadedAdapter {
  accountApi: AccountApi
  /** Throws a ZodError for settings that are invalid. */
  create: (connection: AdapterConnection) => Processor
}

/** What is known of an adapter while its SDK is not loaded. */
export interface Adapter {
  /** The name that people know the processor by. */
  title: string
  settings: z.ZodType<object>
  /** The types of notification that the processor is asked to send. */
  noticeTypes: readonly string[]
  /** Returns what is wrong with the form or the mode of the keys, without repeating them. */
  keysProblem: (
    keys: Keys,
    mode: Instance['mode'],
  ) => { member: keyof Keys; rule: string } | undefined
  /** Returns the part of the settings that decides which account is paid. */
  paidAccount: (settings: unknown) => string | undefined
  /** Returns the types of payment methods that payers are offered. */
  methodTypes: (settings: unknown) => readonly string[]
  /** Where the processor is, by the settings of the server. */
  urls: (config: Config) => { apiUrl: string; scriptUrl: string }
  /** Loads the SDK. */
  load: () => Promise<LoadedAdapter>
}
