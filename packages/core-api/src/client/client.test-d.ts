import { expectTypeOf, test } from 'vitest'
import type { Call } from '../tracing/calls/call-records.ts'
import { toRoutes, tracingRoutes } from '../routes/index.ts'
import { tracing } from '../tracing/index.ts'
import type { BytesAnswer, FilePart, Handlers } from '../operation.ts'
import { everyKind } from '../testing/every-kind.ts'
import { createClient } from './create-client.ts'

const client = createClient({ baseUrl: 'http://127.0.0.1:7400', contract: tracing })
const things = createClient({ baseUrl: 'http://127.0.0.1:7400', contract: everyKind }).things

test('a stream is an iterable of its lines', () => {
  expectTypeOf(client.calls.streamQuery).returns.toEqualTypeOf<AsyncIterable<Call>>()
})

test('a result is a promise of what the operation declares', () => {
  expectTypeOf(client.calls.start).returns.resolves.toEqualTypeOf<{ id: string; trace_id: string }>()
  expectTypeOf(client.files.content).returns.resolves.toEqualTypeOf<BytesAnswer>()
})

test('a client of routes has the types of the contract', () => {
  const { calls } = createClient({ baseUrl: 'http://127.0.0.1:7400', routes: tracingRoutes })
  expectTypeOf(calls).toEqualTypeOf(client.calls)
  expectTypeOf(createClient({ baseUrl: 'http://127.0.0.1:7400', routes: toRoutes(everyKind) }).things).toEqualTypeOf(things)
  // @ts-expect-error routes of some operations are missing
  const some: typeof tracingRoutes = { calls: {} }
  void some
})

test('optional fields may be left out or null; required ones may not', () => {
  expectTypeOf(client.calls.streamQuery).toBeCallableWith({ project_id: 'e/p' }, { timeoutMs: 1 })
  expectTypeOf(client.calls.streamQuery).toBeCallableWith({ project_id: 'e/p', limit: null, filter: { op_names: ['x'] } })
  // @ts-expect-error a project is required
  void (() => client.calls.streamQuery({ limit: 1 }))
  // @ts-expect-error a filter has no such key
  void (() => client.calls.streamQuery({ project_id: 'e/p', filter: { op_name: 'x' } }))
  // @ts-expect-error an operation that the contract does not have
  void (() => client.calls.explode({}))
})

test('an operation without required input is called without any', () => {
  expectTypeOf(client.service.health).toBeCallableWith()
  expectTypeOf(things.count).toBeCallableWith()
})

test('every part of a request is one flat input', () => {
  expectTypeOf(things.read).parameter(0).toEqualTypeOf<{
    entity: string
    project: string
    thing_id: string
    tag?: string[] | undefined
    limit?: number | undefined
    'x-note'?: string | undefined
  }>()
  expectTypeOf(things.upload).parameter(0).toEqualTypeOf<{ project_id: string; title?: string | undefined; files: FilePart[] }>()
})

test('handlers get parsed values, and a missing one does not compile', () => {
  type CallsHandlers = Handlers<typeof tracing.calls, { user: string }>
  type Start = Parameters<CallsHandlers['start']>[0]['start']
  expectTypeOf<Start['started_at']>().toEqualTypeOf<number>()
  expectTypeOf<Start['parent_id']>().toEqualTypeOf<string | null>()
  expectTypeOf<Parameters<CallsHandlers['streamQuery']>[0]['include_costs']>().toEqualTypeOf<boolean>()
  // @ts-expect-error handlers are missing
  const none: CallsHandlers = {}
  void none
})
