import type { Instance } from '../db/tables/instances.ts'
import type { ClientInfo } from '../actor-sessions/store.ts'
import { clientNetwork } from '../rate-limits/client-network.ts'
import type { CounterSubject } from '../rate-limits/counters.ts'
import {
  type SlidingWindowLimit,
  type WindowSubject,
  limitNetworks,
} from '../rate-limits/sliding-window.ts'

// Card testing is trying out stolen cards. Declines are limited per link and per payer's network.

const MINUTE_MS = 60_000

export const LINK_DECLINES: SlidingWindowLimit = {
  name: 'link-declines',
  max: 5,
  windowMs: 15 * MINUTE_MS,
}

/**
 * Of all payers of a deep link, who pay links of their own. Beyond it, only payers from networks with a
 * decline have to wait, so that card testers do not close a poster to everybody else.
 */
export const DEEP_LINK_DECLINES: SlidingWindowLimit = {
  name: 'deep-link-declines',
  max: 30,
  windowMs: 15 * MINUTE_MS,
}

/** Per instance, so that payers of one merchant do not lock a network out at another. */
export const NETWORK_DECLINES: SlidingWindowLimit = {
  name: 'network-declines',
  max: 10,
  windowMs: 60 * MINUTE_MS,
}

/** Across the instances of a mode. Declines in TEST are deliberate and never count in LIVE. */
const NETWORK_DECLINES_IN_MODE: SlidingWindowLimit = {
  name: 'network-declines-in-mode',
  max: 100,
  windowMs: 60 * MINUTE_MS,
}

/**
 * Declines per 10 allowed that show their reason. An honest payer learns that the balance is too low;
 * a card tester does not learn which cards exist.
 */
const REASONS_MAX = 2

export interface DeclineLimit extends WindowSubject {
  /** How many declines show their reason to the payer. */
  reasonsMax: number
}

export function linkDeclineLimit(linkId: string): DeclineLimit {
  return { limit: LINK_DECLINES, key: linkId, reasonsMax: REASONS_MAX }
}

export function deepLinkDeclineLimit(deepLinkId: string): DeclineLimit {
  const reasonsMax = (DEEP_LINK_DECLINES.max / LINK_DECLINES.max) * REASONS_MAX
  return { limit: DEEP_LINK_DECLINES, key: deepLinkId, reasonsMax }
}

/** Returns the limits of a network at an instance and in the instance's mode. */
export function networkDeclineLimits(
  instance: Pick<Instance, 'id' | 'mode'>,
  network: string | null,
): DeclineLimit[] {
  if (network === null) return []
  return [
    ...limitNetworks(NETWORK_DECLINES, network, (each) => `${instance.id} ${each}`),
    ...limitNetworks(NETWORK_DECLINES_IN_MODE, network, (each) => `${instance.mode} ${each}`),
  ].map((watched) => ({
    ...watched,
    reasonsMax: (watched.limit.max / NETWORK_DECLINES.max) * REASONS_MAX,
  }))
}

/** Returns the counter that exists while an instance is protected. */
export function protectionCounter(instanceId: string): CounterSubject {
  return { name: 'protected-instance', key: instanceId }
}

/** Returns the network of a payer's address, because single addresses are easy to change. */
export function payerNetwork({ ip }: ClientInfo): string | null {
  return clientNetwork(ip, 24) ?? null
}
