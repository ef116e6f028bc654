import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** Writes the types of the client from the description of the server: `npm run client:types`. */

const FILE = new URL('../src/types.gen.ts', import.meta.url)
const HEAD =
  '// Made from docs/openapi.json by `npm run client:types`. Changes are overwritten.\n\n'
/** What programs of merchants do not call. */
const OTHERS = new Set(['payer', 'pages', 'oauth', 'processor-notices', 'health', 'sandbox'])

interface Operation {
  operationId: string
  tags: string[]
  parameters?: { name: string; description?: string }[]
  requestBody?: object
  responses: Record<string, { content?: object; headers?: object }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: object }
}

const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as Document
const fields = fieldsOfLists(document)
const nodes = await openapiTS(reduced(document) as unknown as OpenAPI3)
const kept = nodes.filter((node) => {
  const { name } = node as { name?: { text?: string } }
  return ['webhooks', 'components', 'operations'].includes(name?.text ?? '')
})
// Most of what an operation could have, none of these has.
const NEVER = /^\s*(?:\w+\?: never;|parameters: \{\s*\};?)\n/gm
let types = astToString(kept)
for (let before = ''; before !== types;) [before, types] = [types, types.replace(NEVER, '')]
await writeFile(FILE, `${HEAD}${types}\n${fields}`)
execFileSync('oxfmt', [FILE.pathname], { stdio: 'ignore' })

/** Returns what the client is typed by: bodies and answers, without errors, parameters and headers. */
function reduced({ paths, webhooks, components: { schemas }, ...head }: Document): Document {
  const described = Object.entries(paths).map(([path, methods]) => {
    // A path also has parameters, which are no operation.
    const own = Object.entries(methods).filter(
      ([, { tags }]) => tags !== undefined && !tags.some((tag) => OTHERS.has(tag)),
    )
    return [path, Object.fromEntries(own.map(([method, one]) => [method, bare(one)]))] as const
  })
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const { requestBody } = post
    return [type, { post: { requestBody, responses: {} } as unknown as Operation }] as const
  })
  return {
    ...head,
    paths: Object.fromEntries(described),
    webhooks: Object.fromEntries(events),
    components: { schemas },
  }
}

function bare({ operationId, tags, requestBody, responses }: Operation): Operation {
  const answer = responses['200']
  return {
    operationId,
    tags,
    ...(requestBody && { requestBody }),
    responses: answer?.content ? { 200: { content: answer.content } } : {},
  }
}

/** Returns a type with the fields that each list can be filtered by, which the document names in prose. */
function fieldsOfLists({ paths }: Document): string {
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const criteria = get?.parameters?.find(({ name }) => name === 'criteria')
    const [, prose] = /Fields: (.+)\.$/.exec(criteria?.description ?? '') ?? []
    const names = prose?.match(/`\w+`/g)?.map((name) => `'${name.slice(1, -1)}'`)
    const [, list, below] = path.split('/')
    return names && below === undefined ? [`  ${list}: ${names.join(' | ')}`] : []
  })
  return `/** The fields that lists are filtered by. */\nexport interface ListFields {\n${lists.join('\n')}\n}\n`
}
