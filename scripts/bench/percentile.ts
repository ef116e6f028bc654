/** Returns the value that so large a share of all is not above, which for 0.5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0
}
