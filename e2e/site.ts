import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A website on a loopback port. */
export interface Site {
  url: string
  close: () => void
}

/** Starts a website of HTML pages on `port`, by default a free one. */
export async function openSite(
  answer: (path: string, response: ServerResponse) => void,
  port = 0,
): Promise<Site> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    answer(request.url ?? '/', response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns a page with its title as its heading. */
export function pageOf(title: string, content = ''): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}</html>`
}
