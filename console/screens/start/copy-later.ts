/**
 * Copies a text that comes later, within the press of a button, because browsers allow it only there.
 * Resolves with whether it was copied.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((url) => new Blob([url], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return false
  }
}
