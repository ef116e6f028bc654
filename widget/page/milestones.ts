import type { MilestoneAges } from '../../shared/page-model.ts'

/** When the payer first reached each milestone, in epoch milliseconds by the payer's clock. */
export type Milestones = { -readonly [Name in keyof MilestoneAges]: number }

/** Returns each milestone's age at `now` (epoch ms), in milliseconds and never negative. */
export function millisecondsSince(milestones: Milestones, now: number): Record<string, number> {
  const since = Object.entries(milestones).map(([name, at]) => [name, Math.max(0, now - at)])
  return Object.fromEntries(since) as Record<string, number>
}
