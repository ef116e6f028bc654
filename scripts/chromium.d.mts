export function findChromium(root: string): string | undefined
export function provideChromium(root: string): void
