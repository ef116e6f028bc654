import type { ExpandGraph } from './http/expand.ts'

/**
 * Which member of which record can be expanded, and into what (specification: Expandable). The
 * kinds are named as the interface names them.
 */
export const EXPANSIONS: ExpandGraph = {}
