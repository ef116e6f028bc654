import { z } from 'zod'
import { commonErrors, idempotencyErrors } from '../../shared/schemas/error-bodies.ts'
import {
  createStringImportRequest,
  STRING_FILE_FORMATS,
  stringExportResponse,
  stringImportResponse,
} from '../../shared/schemas/string-transfer.ts'
import type { Deps } from '../deps.ts'
import { idempotentRepeatable } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { scopeParameters, STRINGS_BODY_BYTES_MAX } from './routes.ts'
import { parseScope, requireScope } from './scope.ts'
import { FILE_FORMATS } from './formats/index.ts'
import { exportStrings, parseFile, previewImport } from './transfer.ts'

const read = {
  method: 'get',
  path: '/string_exports',
  tag: 'string-exports',
  operation: 'export_strings',
  summary: 'Export strings',
  description: 'Returns a file with the strings of one language and branding, for translators.',
  query: z.object({
    ...scopeParameters,
    format: z
      .enum(STRING_FILE_FORMATS, { error: `must be ${STRING_FILE_FORMATS.join(', ')}` })
      .optional()
      .meta({ description: 'Format of the file; JSON by default.' }),
    only: z
      .enum(['own', 'stale', 'all'], { error: 'must be own, stale or all' })
      .optional()
      .meta({
        description:
          'own: only overridden strings, which is the default. stale: only strings that may no longer ' +
          'say what they should. all: every string.',
      }),
  }),
  responses: { 200: stringExportResponse, ...commonErrors },
} as const satisfies Route

const create = {
  method: 'post',
  path: '/string_imports',
  tag: 'string-imports',
  operation: 'preview_string_import',
  summary: 'Compare a file with the strings',
  description:
    'Returns what a file would change, and which of its strings the rules refuse. It writes nothing: ' +
    'send the changes to `POST /string_revisions`.',
  body: createStringImportRequest,
  bodyBytesMax: STRINGS_BODY_BYTES_MAX,
  responses: { 200: stringImportResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

/** `/string_exports` and `/string_imports`: strings as files. */
export function stringTransferRoutes(router: Router, deps: Deps): void {
  router.on(read, async (c, { query }) => {
    const instance = c.get('instance')
    const scope = parseScope(query)
    requireScope(instance, scope, '')
    const { language, branding } = scope
    const name = query.format ?? 'JSON'
    const format = FILE_FORMATS[name]
    const strings = await exportStrings(deps.db, instance.id, scope, query.only ?? 'own')
    const content = await format.write(strings, language)
    const file_name = `${['strings', branding, language].filter(Boolean).join('-')}.${format.extension}`
    const file = { format: name, language, branding: branding || null, file_name, content }
    return c.json({ string_export: file })
  })

  router.on(create, async (c, { body: { string_import: file } }) => {
    const instance = c.get('instance')
    const scope = parseScope(file)
    const texts = await parseFile(FILE_FORMATS[file.format], file.content, scope.language)
    requireScope(instance, scope, 'string_import.')
    return idempotentRepeatable(deps, c, async () => {
      const { strings_version: version } = instance
      const preview = await previewImport(deps.db, instance.id, scope, texts)
      const { language, branding } = scope
      return { string_import: { language, branding: branding || null, version, ...preview } }
    })
  })
}
