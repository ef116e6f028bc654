/** JSON columns are text on both databases; null stays null. */
export function toJson(value: unknown): string | null {
  return value == null ? null : JSON.stringify(value)
}

export function fromJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
