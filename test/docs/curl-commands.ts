/** The request of a `curl` command in the documentation. */
export interface Request {
  method: string
  /** With the query, without the origin. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** The origin of every command: the one of a server that was started with no settings. */
export const ORIGIN = 'http://localhost:4242'

/** Returns what the `curl` commands of a shell text ask of the server; others are left out. */
export function requestsOf(shell: string, variable: (name: string) => string): Request[] {
  return commandsOf(shell, variable)
    .filter(([program]) => program === 'curl')
    .map((words) => requestOf(words))
    .filter((request) => request !== undefined)
}

/** Splits a shell text into commands, and each into words, as a shell does it. */
function commandsOf(shell: string, variable: (name: string) => string): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  const parts =
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\\n|\\(.)|\$(\w+)|(#[^\n]*)|(\n)|([ \t]+)|([^\s'"\\$#]+|#)/g
  for (const part of shell.matchAll(parts)) {
    const [all, single, double, escaped, name, comment, line, blank, plain] = part
    if (all === '\\\n') continue
    if (comment !== undefined && word === undefined) continue
    if (blank !== undefined || line !== undefined) {
      end()
      if (line !== undefined) commands.push([])
      continue
    }
    word ??= ''
    if (double !== undefined) word += double.replaceAll(/\$(\w+)/g, (_, named) => variable(named))
    else if (name !== undefined) word += variable(name)
    else word += single ?? escaped ?? plain ?? comment ?? ''
  }
  end()
  return commands.filter((words) => words.length > 0)
}

const VALUELESS = new Set(['-s', '-i', '-G', '-sS'])

/** Returns undefined for a command whose address is not that of the documentation's server. */
function requestOf([, ...words]: string[]): Request | undefined {
  const options = new Map<string, string[]>()
  let address = ''
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string
    if (!word.startsWith('-')) address = word
    else if (VALUELESS.has(word)) options.set(word, [])
    else options.set(word, [...(options.get(word) ?? []), words[(at += 1)] as string])
  }
  if (!address.startsWith(ORIGIN)) return undefined
  const query = options.get('--data-urlencode')?.map(encodeParameter).join('&')
  const body = options.get('-d')?.join('&')
  const headers = (options.get('-H') ?? []).map((line) => line.split(/: */, 2))
  const user = options.get('-u')?.[0]
  return {
    method: options.get('-X')?.[0] ?? (body === undefined ? 'GET' : 'POST'),
    path: address.slice(ORIGIN.length) + (query === undefined ? '' : `?${query}`),
    headers: {
      ...(user === undefined ? {} : { authorization: `Basic ${btoa(user)}` }),
      ...Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    },
    body,
  }
}

function encodeParameter(parameter: string): string {
  const [name = '', ...value] = parameter.split('=')
  return `${name}=${encodeURIComponent(value.join('='))}`
}
