import { boot } from '../boot.ts'
import { refusal, throwNoAnswer } from './request.ts'

/**
 * Saves a list as a CSV file. `path` is absolute, with the criteria and order of the list. Throws a
 * RequestError.
 */
export async function downloadCsv(path: string, name: string): Promise<void> {
  const response = await fetch(path, {
    headers: { Accept: 'text/csv', 'Checkstand-Console': boot.token },
  }).catch(throwNoAnswer)
  if (!response.ok) throw refusal(response, await response.text().catch(throwNoAnswer))
  saveFile(name, await response.blob().catch(throwNoAnswer))
}

/** Saves a file where the browser keeps downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
