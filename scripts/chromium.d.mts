export function findChromium(root: string): string | undefined
export function findHeadlessShell(root: string): string | undefined
export function provideChromium(root: string): void
