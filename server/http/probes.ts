/**
 * Addresses that a balancer or an orchestrator asks to learn how the process is: under whatever name
 * it knows, and answered however busy the process is.
 */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz'])
