import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startTestApp } from './app.ts'

const app = await startTestApp()
const { json: document } = await app.call('/openapi.json')

describe('the OpenAPI document', () => {
  it('is the one that the documentation carries (npm run openapi writes it)', async () => {
    const file = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    const { servers: _ours, ...written } = JSON.parse(file)
    const { servers: _theirs, ...served } = document
    expect(written).toEqual(served)
  })

  it('is version 3.1 and names the product', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Checkstand', version: '1.0.0' },
    })
  })

  it('has every operation on payment links that the specification has, with its statuses', () => {
    const prefix = '/payment_links'
    const statuses = (path: string, method: string) =>
      Object.keys(document.paths[path][method].responses)
    expect(statuses(prefix, 'post')).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'get')).toEqual(
      expect.arrayContaining(['200', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'put')).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '500']),
    )
    expect(statuses(`${prefix}/{id}`, 'delete')).toEqual(
      expect.arrayContaining(['204', '401', '404', '500']),
    )
  })

  it('describes every option of a link, and allows no other', () => {
    const options = document.components.schemas.PaymentLinkOptions
    expect(Object.keys(options.properties).toSorted()).toEqual(
      [
        'account',
        'allow_description',
        'alt_key',
        'amount',
        'channel',
        'currency',
        'default_alt_key',
        'default_amount',
        'default_description',
        'default_save_card',
        'description',
        'force_add',
        'hide_save_card_toggle',
        'name',
        'page_intro',
        'page_pending_message',
        'page_success_message',
        'pending_url',
        'save_card',
        'skip_receipt',
        'source',
        'success_url',
        'timezone',
      ].toSorted(),
    )
    expect(options.additionalProperties).toBe(false)
  })

  it('gives every operation a name of its own and every path its parameters', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(
        methods as Record<
          string,
          { operationId: string; parameters?: { name: string; in: string }[] }
        >,
      ).map((operation) => ({ path, operation })),
    )
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(new Set(inPath.map(({ name }) => name)), path).toEqual(new Set(named))
    }
  })

  it('refers to nothing that it does not contain', () => {
    const references = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ]
    expect(references.length).toBeGreaterThan(5)
    for (const [, name] of references)
      expect(Object.keys(document.components.schemas)).toContain(name)
  })
})
