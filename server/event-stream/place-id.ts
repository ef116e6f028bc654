import { decrypt, encrypt, type EncryptionKeys } from '../encryption.ts'
import type { Deps } from '../deps.ts'
import { behind, type Place } from './store.ts'

/**
 * Ids of places of the stream that are not behind an event of the instance, for clients that have seen none yet. They
 * are encrypted, because positions count the events of all instances.
 */

type KeyDeps = Pick<Deps, 'keyedDigest'>

/** Returns an id that `readPlaceId` reads for the same instance, on every process of the database. */
export const placeId = (deps: KeyDeps, instanceId: string, { position }: Place): string =>
  encrypt(keys(deps), String(position), purpose(instanceId))

/** Returns the place of an id; undefined for a text that is none of this instance. */
export function readPlaceId(deps: KeyDeps, instanceId: string, id: string): Place | undefined {
  try {
    return behind(Number(decrypt(keys(deps), id, purpose(instanceId))))
  } catch {
    return undefined
  }
}

const keys = ({ keyedDigest }: KeyDeps): EncryptionKeys => [
  Buffer.from(keyedDigest('places of the stream of events'), 'hex'),
]

const purpose = (instanceId: string) => `place/${instanceId}`
