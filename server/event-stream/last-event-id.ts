import { decrypt, encrypt, type EncryptionKeys } from '../encryption.ts'
import type { Deps } from '../deps.ts'
import { findPlace, hasReached, type Place } from './store.ts'

/**
 * `Last-Event-ID`: the id behind which a client goes on. It is the id of an event, or that of a place, for clients
 * that have seen no event yet. A place is encrypted, because positions count the events of all instances.
 */

type StreamDeps = Pick<Deps, 'db' | 'keyedDigest'>

/** Returns the id of a place, valid for the instance on every process of the database. */
export const lastEventId = (
  deps: Pick<StreamDeps, 'keyedDigest'>,
  instanceId: string,
  place: Place,
): string => encrypt(keys(deps), JSON.stringify(place), purpose(instanceId))

/** Returns the place behind an id that a stream has sent; undefined when this database does not have it. */
export async function findLastPlace(
  deps: StreamDeps,
  instanceId: string,
  id: string,
): Promise<Place | undefined> {
  const place = decryptPlace(deps, instanceId, id)
  if (!place) return findPlace(deps.db, instanceId, id)
  // Positions begin anew in a database that was restored, or whose events have all been deleted.
  return (await hasReached(deps.db, place.position)) ? place : undefined
}

function decryptPlace(deps: StreamDeps, instanceId: string, id: string): Place | undefined {
  try {
    return JSON.parse(decrypt(keys(deps), id, purpose(instanceId))) as Place
  } catch {
    return undefined
  }
}

const keys = ({ keyedDigest }: Pick<StreamDeps, 'keyedDigest'>): EncryptionKeys => [
  Buffer.from(keyedDigest('places of the stream of events'), 'hex'),
]

const purpose = (instanceId: string) => `place/${instanceId}`
