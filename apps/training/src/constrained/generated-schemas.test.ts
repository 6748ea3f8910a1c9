import { Validator } from '@cfworker/json-schema'
import { trials } from '@heddle/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { writeDocuments } from './testing/write-documents.ts'
import generated from './vectors/generated-schemas.json' with { type: 'json' }

describe('schemas that other generators make are taken, and what is decoded is valid', () => {
  // In OpenAPI `nullable` allows null, which a validator of JSON Schema does not know.
  const validatorOf = (from: string, schema: object) => (from.includes('openApi3') ? null : new Validator(schema, '2020-12'))

  test.each(generated.map(({ from, name, schema }) => [from, name, schema] as const))('%s: %s', (from, _name, schema) => {
    const validator = validatorOf(from, schema)
    const documents = writeDocuments(schema, trials({ usual: 2, long: 20 }))
    expect(documents).not.toEqual([])
    for (const document of documents)
      expect({ document, valid: validator?.validate(document).valid ?? true }).toEqual({ document, valid: true })
  })
})

const person = z.object({ name: z.string().min(1).max(20), age: z.int().min(0).max(150).nullable() })
const node = z.object({
  value: z.number(),
  get next() {
    return node.nullable()
  },
})
const types: Record<string, z.ZodType> = {
  object: person,
  'strict object': z.strictObject({ a: z.string() }),
  'loose object': z.looseObject({ a: z.string() }),
  'object with other properties': z.object({ a: z.string().optional() }).catchall(z.number()),
  'partial object': person.partial(),
  record: z.record(z.string(), z.number()),
  'record of an enum': z.record(z.enum(['b', 'a']), z.int()),
  'partial record': z.partialRecord(z.enum(['b', 'a']), z.boolean()),
  'loose record': z.looseRecord(z.string().regex(/^x/), z.int()),
  'record of a pattern': z.record(z.string().regex(/^[a-z]+$/), z.int()),
  'record of addresses': z.record(z.uuid(), z.boolean()),
  'record of numbers': z.record(z.number(), z.string()),
  'record of literals and a pattern': z.record(z.union([z.literal('id'), z.templateLiteral(['x-', z.string()])]), z.int()),
  tuple: z.tuple([z.string(), z.number()]),
  'tuple with a rest': z.tuple([z.string()], z.boolean()),
  union: z.union([z.string(), z.number(), z.null()]),
  'discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), x: z.int() }),
    z.object({ kind: z.literal('b'), y: z.string().optional() }),
  ]),
  'one of two': z.xor([z.string(), z.number()]),
  intersection: z.intersection(z.looseObject({ a: z.string() }), z.looseObject({ b: z.int() })),
  'literals of several types': z.literal([1, 'a', null, true]),
  enum: z.enum(['x', 'y']),
  nullable: z.string().nullable(),
  default: z.object({ a: z.string().default('x') }),
  recursive: node,
  'any JSON': z.json(),
  'template literal': z.templateLiteral(['v', z.int(), '.', z.enum(['a', 'b'])]),
  'array with bounds': z.array(person).min(1).max(2),
  numbers: z.object({ a: z.int32(), b: z.number().positive().max(1), c: z.number().multipleOf(0.5), d: z.uint32(), e: z.float32() }),
  'several patterns': z.string().startsWith('a').endsWith('b').includes('c').max(9),
  texts: z.object({
    email: z.email(),
    url: z.url(),
    uuid: z.uuid(),
    uuid7: z.uuidv7(),
    guid: z.guid(),
    cuid: z.cuid2(),
    ulid: z.ulid(),
    nanoid: z.nanoid(),
    ipv6: z.ipv6(),
    network: z.cidrv4(),
    network6: z.cidrv6(),
    base64: z.base64(),
    base64url: z.base64url(),
    jwt: z.jwt(),
    phone: z.e164(),
    date: z.iso.date(),
    time: z.iso.time(),
    duration: z.iso.duration(),
    moment: z.iso.datetime({ offset: true }),
    host: z.hostname(),
    mac: z.mac(),
    hash: z.hash('sha256'),
  }),
}

describe('schemas of zod are taken, and what is decoded is what the type takes', () => {
  test.each(Object.entries(types))('%s', (_name, type) => {
    for (const io of ['input', 'output'] as const) {
      const documents = writeDocuments(z.toJSONSchema(type, { io }), trials({ usual: 2, long: 20 }))
      expect(documents).not.toEqual([])
      for (const document of documents) expect({ document, error: type.safeParse(document).error?.issues }).toEqual({ document })
    }
  })
})
