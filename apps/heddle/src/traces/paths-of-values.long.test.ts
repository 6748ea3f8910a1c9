import type { Call } from '@heddle/core-api/types'
import { isQueryable, valueAt } from '@heddle/core-api/internal'
import { equals } from '@heddle/trace-model/query'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'

vi.setConfig({ testTimeout: 1_800_000 })

const callsAtATime = 6

let surfaces: Surfaces
beforeAll(async () => {
  surfaces = await openSurfaces()
})
afterAll(() => surfaces?.close())

const key = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('x', 'x.y', 'y', 'gen_ai.usage', 'C:\\', '.', '\\.', 'a b', 'ü', '0', '-1', '__proto__', "it's", 'say "x"'),
  },
  fc.string({ unit: fc.constantFrom('a', '.', '\\', '-', '1', ' ', '"'), minLength: 1, maxLength: 5 }),
)
const leaf = fc.oneof(
  fc.constantFrom<unknown>('text', '5', 'true', 0, -2.5, 9_007_199_254_740_991, true, false),
  fc.string({ unit: fc.constantFrom('a', 'B', '"', '\\', '.', "'", 'é'), minLength: 1, maxLength: 8 }),
)
const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
})).object

/** Names that are there whatever is drawn: one plain, and one that begins as the other does. */
const always = { x: 1, 'x.y': 2 }

const payloads = ['inputs', 'output', 'attributes'] as const

/** What holds at the path of a value holds of its call: the same value for the client, and the call among those that a query finds. */
test('every path that a surface writes for a value finds that value, in the client and by a query', async () => {
  const { client, page, server } = surfaces
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ inputs: value, output: value, attributes: value }), { minLength: callsAtATime, maxLength: callsAtATime }),
      async (sent) => {
        const project_id = server.newProject()
        const started_at = new Date().toISOString()
        const calls = sent.map(({ inputs, output, attributes }, at) => ({
          id: at.toString(16).padStart(16, '0'),
          inputs: { ...always, ...(inputs as object) },
          output,
          attributes: attributes as Call['attributes'],
        }))
        await client.calls.upsertBatch({
          batch: calls.flatMap(({ id, inputs, output, attributes }) => [
            {
              mode: 'start',
              req: { start: { project_id, id, trace_id: id.padStart(32, '0'), op_name: 'op', started_at, inputs, attributes } },
            },
            { mode: 'end', req: { end: { project_id, id, ended_at: started_at, output, summary: {} } } },
          ]),
        })
        const stored = new Map<string, Call>()
        for await (const call of client.calls.streamQuery({ project_id })) stored.set(call.id, call)

        const written: { id: string; path: string; expected: unknown }[] = []
        for (const call of stored.values()) {
          for (const payload of payloads)
            for (const { path, size, value: expected } of page.treeRows(call[payload], { path: payload, isOpen: () => true }).rows)
              if (size === null) written.push({ id: call.id, path, expected })
          for (const { path, value: expected } of page.fieldsOfCall(call))
            if (expected !== undefined) written.push({ id: call.id, path, expected })
        }
        for (const { id, path, expected } of written) {
          expect(valueAt(stored.get(id), path), path).toEqual(expected)
          if (!isQueryable(path)) continue
          const ids: string[] = []
          const query = { $expr: { $and: [equals(path, expected), equals('id', id)] } }
          for await (const found of client.calls.streamQuery({ project_id, query, columns: ['id'] })) ids.push(found.id)
          expect(ids, `${path} of ${JSON.stringify(stored.get(id))}`).toEqual([id])
        }
      },
    ),
    { numRuns: 100, endOnFailure: true },
  )
})
