// The bundler takes style sheets as imports; the compiler has to be told.
declare module '*.css'

declare module '*.css?inline' {
  const text: string
  // oxlint-disable-next-line import/no-default-export -- this is how the builder hands over a text
  export default text
}
