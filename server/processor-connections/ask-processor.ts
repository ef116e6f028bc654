import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { type AccountAccess, KeyRefused, NotPermitted } from '../processors/adapter.ts'
import { adapterOf } from '../processors/adapters.ts'

/** Milliseconds after which nothing more is sent. */
const PATIENCE_MS = 45_000
/** How long a request that asks a processor may run: the last call began within its patience. */
export const ASKING_MS = 180_000

/** A processor's account that a request asks about. */
export interface Asked {
  name: string
  secretKey: string
  settings: unknown
}

export function accessOf(
  { config, log }: { config: Config; log: Deps['log'] },
  { name, secretKey, settings }: Asked,
): AccountAccess {
  const { apiUrl } = adapterOf(name).urls(config)
  return { secretKey, settings, apiUrl, log, signal: AbortSignal.timeout(PATIENCE_MS) }
}

/** `isKeyRefused` is false where the key only lacks a permission. */
export type KeyCheck =
  | { accepted: true; account: string }
  | { accepted: false; isKeyRefused: boolean; rule: string }

/** Asks the processor whose key it is. Throws a 502 ApiError when it gives no clear answer. */
export async function checkKey(
  deps: Pick<Deps, 'config' | 'log'>,
  asked: Asked,
): Promise<KeyCheck> {
  const adapter = adapterOf(asked.name)
  const { accountApi } = await adapter.load()
  try {
    return { accepted: true, account: await accountApi.readAccount(accessOf(deps, asked)) }
  } catch (error) {
    const rule = `is not accepted by ${adapter.title}`
    if (error instanceof KeyRefused) return { accepted: false, isKeyRefused: true, rule }
    if (error instanceof NotPermitted) {
      const lacking = `${rule}: it must be allowed to read the account`
      return { accepted: false, isKeyRefused: false, rule: lacking }
    }
    deps.log.warn({ err: error, processor: asked.name }, 'a key could not be checked')
    throw new ApiError(
      'PROCESSOR_UNREACHABLE',
      `${adapter.title} gave no clear answer, and nothing was stored; try again in a moment`,
    )
  }
}
