/** Returns a list in which an item stands at a position from 1, whether it was in the list or not. */
export function placed<T extends { id: string }>(
  list: readonly T[],
  item: T,
  position: number,
): T[] {
  const others = list.filter(({ id }) => id !== item.id)
  return others.toSpliced(position - 1, 0, item)
}
