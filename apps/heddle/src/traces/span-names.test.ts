import { displayNameOf } from '@heddle/core-api'
import { expect, test } from 'vitest'
import type { TracingClient } from '../connect.ts'
import { aCall } from '../testing/a-call.ts'
import { createSpanNames } from './span-names.ts'

const idOf = (index: number) => index.toString(16).padStart(16, '0')
const aSpan = (index: number, fields = {}) => aCall({ id: idOf(index), op_name: 'weave:///a/p/op/a_span:x', ...fields })

/** A project of spans that are named after their ids, and the ids that each query requested. */
function createProject() {
  const queries: string[][] = []
  const calls = {
    async *streamQuery({ filter, columns }: { filter: { call_ids: string[] }; columns: string[] }) {
      expect(columns).toEqual(['attributes'])
      queries.push(filter.call_ids)
      for (const id of filter.call_ids) yield { id, attributes: { otel_span: { name: `Span ${Number.parseInt(id, 16)}` } } }
    },
  }
  return { queries, addSpanNames: createSpanNames({ client: { calls } as unknown as TracingClient, project: 'a/p' }) }
}

test('spans get the names that they were sent with; other calls and those with a display name are not queried', async () => {
  const { addSpanNames, queries } = createProject()
  const calls = [aSpan(1), aSpan(2, { display_name: 'Named' }), aCall({ id: '01890000-0000-7000-8000-000000000000' })]
  expect((await addSpanNames(calls)).map(displayNameOf)).toEqual(['Span 1', 'Named', 'op'])
  expect(queries).toEqual([[idOf(1)]])
})

test('a trace of many spans is queried in batches', async () => {
  const { addSpanNames, queries } = createProject()
  await addSpanNames(Array.from({ length: 2_500 }, (_, index) => aSpan(index)))
  expect(queries.map((ids) => ids.length)).toEqual([1_000, 1_000, 500])
})

test('a second query reads only the names of new spans', async () => {
  const { addSpanNames, queries } = createProject()
  await addSpanNames([aSpan(1), aSpan(2)])
  expect((await addSpanNames([aSpan(2), aSpan(3)])).map(displayNameOf)).toEqual(['Span 2', 'Span 3'])
  await addSpanNames([aSpan(1)])
  expect(queries).toEqual([[idOf(1), idOf(2)], [idOf(3)], [idOf(1)]])
})
