/** The one in the middle, which an outlier does not move; of an even number the upper one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
