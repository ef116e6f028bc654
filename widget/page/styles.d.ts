declare module '*.css'

declare module '*.css?inline' {
  const text: string
  // oxlint-disable-next-line import/no-default-export -- the bundler's own convention
  export default text
}
