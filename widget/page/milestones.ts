import type { MillisecondsSince } from '../../shared/page-model.ts'

/** When the payer first came so far, in epoch milliseconds by their own clock. */
export type Milestones = { -readonly [Name in keyof MillisecondsSince]: number }

/** How long ago each milestone was at `now` (epoch ms), in milliseconds; never below zero. */
export function millisecondsSince(milestones: Milestones, now: number): Record<string, number> {
  const since = Object.entries(milestones).map(([name, at]) => [name, Math.max(0, now - at)])
  return Object.fromEntries(since) as Record<string, number>
}
