export const BUILDS: ('page' | 'server')[]
export function stampOf(part: 'page' | 'server'): string
export function sourceDigest(part: 'page' | 'server'): string
export function isBuilt(part: 'page' | 'server'): boolean
export function digest(paths: string[]): string
