import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { everyKind } from '../testing/every-kind.ts'
import { tracing } from '../tracing/index.ts'
import { toOpenApi } from './to-openapi.ts'

const options = { title: 'Things', version: '1', resources: everyKind }
const document = toOpenApi(options)
const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>

test('the same contract gives the same document', () => {
  expect(JSON.stringify(toOpenApi(options))).toBe(JSON.stringify(document))
  expect(document).toMatchObject({
    openapi: '3.1.0',
    tags: [
      { name: 'things', description: 'All things' },
      { name: 'status', description: 'Whether it runs' },
    ],
  })
})

test('aliases and hidden operations are left out', () => {
  expect(Object.keys(paths)).toEqual([
    '/thing/create',
    '/thing/add',
    '/v2/{entity}/{project}/things/{thing_id}',
    '/things/{thing_id}/names',
    '/things',
    '/things/stream_query',
    '/thing/upload',
    '/thing/download',
    '/things/export',
    '/things/count',
    '/status',
  ])
})

describe('an operation', () => {
  test('has its parameters in their places', () => {
    const operation = paths['/v2/{entity}/{project}/things/{thing_id}']?.['get']
    const parameters = operation?.['parameters'] as Record<string, unknown>[]
    expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['entity', 'path', true],
      ['project', 'path', true],
      ['thing_id', 'path', true],
      ['tag', 'query', false],
      ['limit', 'query', false],
      ['x-note', 'header', false],
    ])
  })

  test('has its id, tag, body and errors', () => {
    expect(paths['/things']?.['delete']).toMatchObject({
      operationId: 'things.delete',
      tags: ['things'],
      requestBody: { required: true, content: { 'application/json': { schema: { required: ['ids'] } } } },
      responses: { 200: {}, 401: { $ref: '#/components/responses/401' }, 422: {} },
    })
  })

  test('lists every status of an operation', () => {
    const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.['responses'] as object).join(' ')
    expect(statuses('/thing/create', 'post')).toBe('200 400 401 403 404 409 413 415 422 429 431 500 502 503 504')
    expect(statuses('/things/stream_query', 'post')).toBe('200 400 401 403 404 413 415 422 429 431 500 502 503 504')
    expect(statuses('/status', 'get')).toBe('200 400 429 431 500 503')
  })

  test('without a credential says so and has no error for it', () => {
    const operation = paths['/status']?.['get']
    expect(operation).toMatchObject({ security: [] })
    expect(Object.keys(operation?.['responses'] as object)).toEqual(['200', '400', '429', '431', '500', '503'])
  })

  test('without a credential, but with something to look up, may not find it', () => {
    const resources = { links: { read: { ...everyKind.things.create, open: true as const, effect: 'read' as const } } }
    const { paths: own } = toOpenApi({ title: 't', version: '1', resources }) as unknown as { paths: typeof paths }
    const statuses = Object.keys(own['/thing/create']?.['post']?.['responses'] as object)
    expect(statuses.join(' ')).toBe('200 400 404 413 415 422 429 431 500 502 503 504')
  })

  test('has the forms of each error, and none for one without a body', () => {
    const { responses } = document['components'] as { responses: Record<string, unknown> }
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const withSchema = (schema: object) => ({ content: { 'application/json': { schema } } })
    expect(responses['400']).toMatchObject(withSchema(ref('Reason')))
    expect(responses['422']).toMatchObject(withSchema({ anyOf: [ref('ValidationError'), ref('Reason')] }))
    expect(responses['431']).toEqual({ description: 'The path, query and headers are too long' })
  })

  test('streams JSON lines', () => {
    expect(paths['/things/stream_query']?.['post']).toMatchObject({
      responses: { 200: { content: { 'application/jsonl': { schema: { properties: { id: { type: 'string' } } } } } } },
    })
  })

  test('describes forms and bytes, in requests and responses', () => {
    expect(paths['/thing/upload']?.['post']).toMatchObject({
      requestBody: {
        content: {
          'multipart/form-data': { schema: { required: ['project_id', 'file'], properties: { file: { description: 'The picture' } } } },
        },
      },
    })
    const content = { 'application/x-things': {}, 'application/json': {} }
    expect(paths['/things/export']?.['post']).toMatchObject({ requestBody: { required: false, content }, responses: { 200: { content } } })
    expect(paths['/thing/download']?.['post']).toMatchObject({ responses: { 200: { content: { 'application/octet-stream': {} } } } })
  })
})

describe('schemas', () => {
  test('with an id are written once and referred to', () => {
    const written = JSON.stringify(toOpenApi({ title: 't', version: '1', resources: tracing }))
    expect(written).toContain('"$ref":"#/components/schemas/QueryOperand"')
    expect(written).not.toContain('$defs')
    const referred = new Set([...written.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name))
    const { schemas } = (JSON.parse(written) as { components: { schemas: object } }).components
    expect([...referred].filter((name) => !(name in schemas))).toEqual([])
  })

  test('of responses allow further keys, those of strict requests do not', () => {
    const { schemas } = document['components'] as { schemas: object }
    expect(Object.keys(schemas)).toEqual(['Reason', 'Detail', 'ValidationError'])
    expect(JSON.stringify(paths['/thing/create']?.['post'])).not.toContain('additionalProperties')
    const strict = toOpenApi({ title: 't', version: '1', resources: tracing })['components'] as { schemas: Record<string, object> }
    expect(strict.schemas['CallsFilter']).toMatchObject({ additionalProperties: false })
    expect(strict.schemas['Call']).not.toHaveProperty('additionalProperties')
  })

  test('with one id and two meanings are refused', () => {
    const one = (type: z.ZodType) =>
      ({ method: 'GET', path: `/${type.type}`, effect: 'read', summary: 's', output: z.object({ a: type }) }) as const
    const resources = { r: defineResource('R', { a: one(z.string().meta({ id: 'X' })), b: one(z.number().meta({ id: 'X' })) }) }
    expect(() => toOpenApi({ title: 't', version: '1', resources })).toThrow(/"X"/)
  })
})

test('two operations on one method and path are refused by name', () => {
  const get = { method: 'GET', path: '/a', effect: 'read', summary: 's', output: z.object({}) } as const
  expect(() => toOpenApi({ title: 't', version: '1', resources: { r: defineResource('R', { one: get, two: get }) } })).toThrow('r.two')
})
