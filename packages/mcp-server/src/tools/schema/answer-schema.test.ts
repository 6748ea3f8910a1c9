import { expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '../tools.ts'
import { toAnswerSchema } from './answer-schema.ts'
import { describeTool } from './describe-tool.ts'

const schemaOf = (output: z.ZodType) => toAnswerSchema(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }), {})

test.each<[what: string, output: z.ZodType, schema: object]>([
  ['text', z.string(), {}],
  ['a value that was recorded', z.unknown(), {}],
  ['a number or null', z.number().nullable(), {}],
  ['a number', z.number(), { type: 'number' }],
  ['a boolean', z.boolean().optional(), { type: 'boolean' }],
  ['one of several texts', z.enum(['a', 'b']), {}],
  ['a list', z.array(z.number()), { items: { type: 'number' } }],
  ['a list or null', z.array(z.string()).nullable(), { type: ['array', 'null'], items: {} }],
  ['numbers by name', z.record(z.string(), z.number()), { type: 'object' }],
  [
    'objects by name',
    z.record(z.string(), z.object({ last: z.number() })),
    { additionalProperties: { properties: { last: { type: 'number' } } } },
  ],
  [
    'an object or null, deep inside',
    z.object({ groups: z.array(z.object({ rewards: z.object({ mean: z.number() }).nullable() })) }),
    {
      properties: {
        groups: { items: { properties: { rewards: { type: ['object', 'null'], properties: { mean: { type: 'number' } } } } } },
      },
    },
  ],
  [
    'one of two objects, with the fields of both',
    z.union([z.object({ id: z.string(), depth: z.number() }), z.object({ id: z.string(), role: z.string() })]),
    { properties: { id: {}, depth: { type: 'number' }, role: {} } },
  ],
])('%s is described', (_, output, schema) => {
  expect(schemaOf(output)).toEqual(schema)
})

test.each(tools.map((tool) => [tool.name, tool] as const))('%s names every field of its answers', (_, tool) => {
  const { data } = describeTool(tool).outputSchema['properties'] as { data: object }
  expect(fieldsOf(data)).toEqual(fieldsOf(z.toJSONSchema(tool.output, { io: 'output', unrepresentable: 'any', reused: 'inline' })))
})

/** Names of all fields, at every depth, by the way a reader without the code finds them. */
function fieldsOf(schema: object): string[] {
  const fields = new Set<string>()
  JSON.stringify(schema, function (key, value: { properties?: object }) {
    if (key !== 'properties') for (const name of Object.keys(value?.properties ?? {})) fields.add(name)
    return value
  })
  return [...fields].toSorted()
}
