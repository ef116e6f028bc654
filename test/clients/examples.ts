import { readFileSync, readdirSync } from 'node:fs'
import { ORIGIN, type Request, requestsOf } from '../docs/curl-commands.ts'
import { type Block, blocksOf } from '../docs/markdown.ts'
import { type Document, operationsOf } from './document.ts'

/** A request that the documentation shows, with the answer that it prints below. */
export interface Example {
  /** `docs/payments.md:8`. */
  where: string
  request: Request
  /** Undefined where the page prints none. */
  answer: unknown
  /** Whether the answer is that of a refused request. */
  refused: boolean
}

/** A JSON body that the documentation shows as an event. */
export interface ShownEvent {
  where: string
  body: { event: { type: string } }
}

const ROOT = new URL('../../', import.meta.url)

/** Returns the pages with examples: the README and everything in `docs/`. */
function pages(): { name: string; blocks: Block[] }[] {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'))
  return ['README.md', ...docs.map((name) => `docs/${name}`)].map((name) => ({
    name,
    blocks: blocksOf(readFileSync(new URL(name, ROOT), 'utf8')),
  }))
}

/** Returns every request of the documentation, in the order of its pages. */
export function documentedExamples(): Example[] {
  return pages().flatMap(({ name, blocks }) =>
    blocks.flatMap((block, at) => {
      const next = blocks[at + 1]
      const shown = next?.language === 'json' && !next.info.includes('event') ? next : undefined
      return requestsOfBlock(block).map((request, number, all): Example => {
        const isLast = number === all.length - 1
        return {
          where: `${name}:${block.line + (number === 0 ? 0 : number)}`,
          request,
          answer: isLast && shown ? (JSON.parse(shown.text) as unknown) : undefined,
          refused: isLast && (shown?.info.includes('refused') ?? false),
        }
      })
    }),
  )
}

/** Returns the examples of requests that the interface description itself has. */
export function describedExamples(document: Document): Example[] {
  return operationsOf(document).flatMap(({ path, method, operation }) => {
    const examples = operation.requestBody?.content['application/json']?.examples ?? {}
    const server = document.paths[path]?.servers ? '' : '/c/api/instances/default'
    return Object.entries(examples).map(([name, { value }]): Example => ({
      where: `docs/openapi.json:${operation.operationId}.${name}`,
      request: {
        method: method.toUpperCase(),
        path: server + path.replaceAll(/[{}]/g, ''),
        headers: {},
        body: JSON.stringify(value),
      },
      answer: undefined,
      refused: false,
    }))
  })
}

/** Returns every event that the documentation shows whole. */
export function documentedEvents(): ShownEvent[] {
  return pages().flatMap(({ name, blocks }) =>
    blocks
      .filter(({ language, info }) => language === 'json' && info.split(' ').includes('event'))
      .map(({ text, line }) => ({
        where: `${name}:${line}`,
        body: JSON.parse(text) as ShownEvent['body'],
      })),
  )
}

/** Returns the number of commands that the documentation shows, by a count of its lines. */
export function countCommands(): number {
  const texts = pages().flatMap(({ blocks }) => blocks.map(({ text }) => text))
  return texts.join('\n').match(/^curl\b/gm)?.length ?? 0
}

const PLAIN = /^(GET|POST|PUT|DELETE) (\/\S+)\n([\s\S]*)$/

/** The requests of a block: `curl` commands, or a method with a path and a body below it. */
function requestsOfBlock({ text }: Block): Request[] {
  const plain = PLAIN.exec(text)
  if (!plain) return requestsOf(text, valueOf)
  const [, method = '', path = '', body = ''] = plain
  return [{ method, path, headers: {}, body: body.trim() === '' ? undefined : body }]
}

/** What a variable of a command stands for; which value it has makes no difference to its type. */
function valueOf(variable: string): string {
  return variable === 'BASE' ? ORIGIN : variable
}
