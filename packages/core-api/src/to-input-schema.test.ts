import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from './operation.ts'
import { everyKind } from './testing/every-kind.ts'
import { toInputSchema } from './to-input-schema.ts'
import { tracing } from './tracing/index.ts'

const { things, status } = everyKind
const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries(group as Record<string, Operation>).map(([key, operation]) => [`${resource}.${key}`, operation] as const),
)
const described = operations.filter(([, { bytes, multipart }]) => !bytes && !multipart)

describe('the input schema of an operation', () => {
  test('has path, query and headers as one object', () => {
    expect(toInputSchema(things.read)).toEqual({
      type: 'object',
      properties: {
        entity: { type: 'string' },
        project: { type: 'string' },
        thing_id: { type: 'string' },
        tag: { type: 'array', items: { type: 'string' } },
        limit: { type: 'number' },
        'x-note': { type: 'string' },
      },
      required: ['entity', 'project', 'thing_id'],
    })
  })

  test('has path and body as one object', () => {
    const { properties, required } = toInputSchema(things.rename)
    expect(properties).toEqual({ thing_id: { type: 'string' }, name: { type: 'string' } })
    expect(required.toSorted()).toEqual(['name', 'thing_id'])
  })

  test('is an empty object where the operation takes nothing', () => {
    expect(toInputSchema(status.health)).toEqual({ type: 'object', properties: {}, required: [] })
  })

  test('describes a name of path and body as the path has it', () => {
    const operation = {
      ...things.rename,
      params: z.object({ name: z.string().describe('in the path') }),
      body: z.object({ name: z.number() }),
    }
    expect(toInputSchema(operation)).toMatchObject({
      properties: { name: { type: 'string', description: 'in the path' } },
      required: ['name'],
    })
  })

  test('refuses unknown keys where the operation does', () => {
    expect(toInputSchema({ ...things.rename, body: z.strictObject({ name: z.string() }) })).toMatchObject({ additionalProperties: false })
    expect(toInputSchema(things.rename)).not.toHaveProperty('additionalProperties')
  })

  test('holds the definitions to which it refers', () => {
    const schema = toInputSchema(tracing.calls.streamQuery)
    expect(schema.properties['filter']).toMatchObject({ anyOf: [{ $ref: '#/$defs/CallsFilter' }, { type: 'null' }] })
    expect(schema.$defs).toMatchObject({ CallsFilter: { additionalProperties: false }, QueryOperand: { minProperties: 1 } })
  })

  test('is an object also where the whole body is a definition', () => {
    const schema = toInputSchema(tracing.feedback.create)
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['project_id', 'weave_ref', 'feedback_type', 'payload']))
  })

  test.each([
    ['files', things.upload],
    ['bytes', things.export],
  ] as const)('that takes %s is refused by path', (kind, operation) => {
    expect(() => toInputSchema(operation)).toThrow(`${operation.method} ${operation.path} takes ${kind}`)
  })
})

describe('every operation of the tracing service', () => {
  test.each(described)('%s names all its fields, and every reference leads somewhere', (_, operation) => {
    const schema = toInputSchema(operation)
    const fields = [operation.params, operation.query, operation.headers, operation.body].flatMap((part) => Object.keys(part?.shape ?? {}))
    expect(Object.keys(schema.properties).toSorted()).toEqual([...new Set(fields)].toSorted())
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
    expect(refs.filter((ref) => !ref.startsWith('#/$defs/') || !(ref.slice('#/$defs/'.length) in (schema.$defs ?? {})))).toEqual([])
  })

  test('with a body that refuses a field missing calls that field required', () => {
    for (const [name, operation] of described) {
      const issues = operation.body?.safeParse({}).error?.issues ?? []
      const missing = issues.filter(({ path }) => path.length === 1).map(({ path }) => String(path[0]))
      expect(toInputSchema(operation).required, name).toEqual(expect.arrayContaining(missing))
    }
  })
})
