/**
 * A UUID for one attempt to pay. The server answers the same attempt for the same key, so a lost
 * answer can be asked for again without a second charge (contract section 7.3).
 */
export function newAttemptKey(source: Crypto = crypto): string {
  // randomUUID is missing where a test shop is opened over plain http from another machine.
  if (typeof source.randomUUID === 'function') return source.randomUUID()
  const bytes = source.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
