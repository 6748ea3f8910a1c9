import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { unboundedPlaces } from '../testing/unbounded-places.ts'
import { unboundedSchemas } from '../testing/unbounded-schemas.ts'
import { unboundedProperties, unboundedTexts } from '../testing/unbounded-texts.ts'
import { tracing } from './index.ts'

const operations = Object.entries(tracing).flatMap(([resource, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
)

// Which methods and paths there are is in `src/routes`, a committed list that changes with the contract.
test('no two operations have the same method and path', () => {
  const targets = operations.flatMap(({ operation: { method, path, aliases = [] } }) => [path, ...aliases].map((one) => `${method} ${one}`))
  expect(targets.filter((target, at) => targets.indexOf(target) !== at)).toEqual([])
})

describe.each(operations)('$name', ({ operation }) => {
  test('declares every parameter of its path and one kind of body at most', () => {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(named)
    expect([operation.body, operation.multipart, operation.bytes].filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('describes every field that a caller gives', () => {
    const fields = [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      Object.entries(part?.shape ?? {}),
    )
    const envelopes = new Set(['start', 'end', 'obj', 'table'])
    expect(fields.filter(([name, field]) => !envelopes.has(name) && !field.description).map(([name]) => name)).toEqual([])
  })
})

test('all of the service but the projects, the listings of models, and what public links show, are open', () => {
  const open = operations.filter(({ operation }) => operation.open).map(({ name }) => name)
  expect(open).toEqual([
    'inference.analysisModels',
    'inference.routerModels',
    'inference.hardware',
    'service.health',
    'service.version',
    'service.serverInfo',
    'service.geolocate',
    'sharedTraces.read',
    'sharedTraces.streamTrace',
    'sharedTraces.streamCalls',
    'sharedTraces.readCall',
  ])
})

test('the length of every list and every dictionary of a body is checked before its entries', () => {
  const places = operations.flatMap(({ name, operation }) => (operation.body ? unboundedSchemas(operation.body, name) : []))
  expect(places).toEqual([])
})

test('every list and every dictionary of a request has a documented maximum', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      part === undefined ? [] : unboundedPlaces(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places).toEqual([])
})

test('every id, name and reference of a request has a documented maximum; texts without one have a reason', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      part === undefined ? [] : unboundedTexts(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places.filter((place) => !Object.hasOwn(unboundedProperties, place.split('.').at(-1)!))).toEqual([])
})

test('a list without a maximum is found wherever it stands', () => {
  const hidden = z.object({ a: z.tuple([z.string(), z.array(z.string())]), b: z.record(z.string(), z.number()).nullish() })
  expect(unboundedPlaces(z.toJSONSchema(hidden, { io: 'input' }), 'x')).toHaveLength(2)
})

test('a text without a maximum is found wherever it stands', () => {
  const hidden = z.object({
    a: z.tuple([z.string(), z.object({ b: z.array(z.string()).nullish() })]),
    c: z.record(z.string(), z.union([z.number(), z.string()])),
    bounded: z.array(z.string().max(9)).nullable(),
    fixed: z.enum(['x']),
  })
  expect(unboundedTexts(z.toJSONSchema(hidden, { io: 'input' }), 'x').toSorted()).toEqual(['x.a', 'x.a.b', 'x.c'])
})

test('a list whose length is checked after its entries is found wherever it stands', () => {
  const hidden = z.object({
    a: z.tuple([z.array(z.string()).max(9)]),
    b: z.union([z.string(), z.record(z.string(), z.number())]).nullish(),
  })
  expect(unboundedSchemas(hidden, 'x')).toEqual(['x.shape.items', 'x.shape.innerType.innerType.options'])
})
