// The globals that Node and every browser share, because shared/ is compiled without the types of
// either.
interface URL {
  readonly href: string
  readonly protocol: string
  readonly hostname: string
  readonly origin: string
  readonly username: string
  readonly password: string
}
declare const URL: {
  new (url: string, base?: string): URL
  canParse(url: string, base?: string): boolean
}
declare class TextEncoder {
  encode(text: string): Uint8Array
}
