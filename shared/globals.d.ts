// The few globals that Node and every browser share, declared here because
// shared/ is compiled with neither the DOM's nor Node's types.
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
