import { readFile, readdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { ROOT } from '../../server/root.ts'
import type { ApiResponse, TestApp } from '../app.ts'
import { newLink } from '../payer-client.ts'

/** The payer's page as a browser gets it. */

/** The page of a new link. */
export async function pageOf(
  server: TestApp,
  options?: Record<string, unknown>,
): Promise<ApiResponse> {
  return server.call(`/pay/${(await newLink(server.merchant, options)).id}`)
}

export const policyOf = (answer: ApiResponse) => answer.headers.get('content-security-policy') ?? ''

/** Address and hash of the script that a page begins with. */
export function scriptOf({ text }: ApiResponse): { url: string; integrity: string } {
  const [, url = '', integrity = ''] =
    /src="(\/assets\/[^"]+)" integrity="([^"]+)"/.exec(text) ?? []
  return { url, integrity }
}

/** Every script that the page may load, as it was built. */
export async function builtScripts(): Promise<{ name: string; source: string }[]> {
  const folder = new URL('dist/page/assets/', ROOT)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  expect(names.length).toBeGreaterThan(0)
  return Promise.all(
    names.map(async (name) => ({ name, source: await readFile(new URL(name, folder), 'utf8') })),
  )
}
