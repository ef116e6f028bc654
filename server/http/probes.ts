/** Paths of health probes, which may use any host name and are never rejected for load. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz'])
