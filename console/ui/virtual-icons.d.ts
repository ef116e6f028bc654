declare module 'virtual:icons' {
  const shapes: Readonly<
    Record<
      string,
      readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
    >
  >
  export default shapes
}
