import { callKindOf, displayNameOf } from '@heddle/core-api'
import type { TraceCall } from '@heddle/core-api/types'
import { trials } from '@heddle/testing'
import { isModelCall } from '@heddle/trace-model'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, aStart, findCalls, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function traceOf(query: Parameters<TestApp['client']['calls']['streamTrace']>[0]): Promise<TraceCall[]> {
  const calls: TraceCall[] = []
  for await (const call of app.client.calls.streamTrace(query)) calls.push(call)
  return calls
}
const at = (second: number) => `2026-03-01T00:00:0${second}Z`

describe('the calls of a trace', () => {
  test('are found from any of them, by start, each with its name, kind, status and times, and with no payload', async () => {
    const project_id = app.newProject()
    const [trace_id, root, failed, running] = [newId(), newId(), newId(), newId()]
    const of = { project_id, trace_id }
    const attributes = { kind: 'agent', long: 'x'.repeat(10_000) }
    await record(
      app.client,
      aCall({ ...of, id: failed, parent_id: root, started_at: at(2), ended_at: at(3), exception: 'boom', op_name: 'search' }),
      aCall({ ...of, id: root, started_at: at(1), ended_at: at(5), display_name: 'Answer', attributes, inputs: { q: 1 }, output: 2 }),
      aCall({ project_id }),
    )
    await app.client.calls.start({ start: aStart({ ...of, id: running, parent_id: root, started_at: at(4), op_name: 'think' }) })
    const sent = { thread_id: null, is_model_call: false, wire: 'client', scope: null, response_id: null }
    const expected = [
      {
        ...sent,
        id: root,
        parent_id: null,
        op_name: 'op',
        name: 'Answer',
        kind: 'agent',
        status: 'descendant_error',
        started_at: at(1),
        ended_at: at(5),
      },
      {
        ...sent,
        id: failed,
        parent_id: root,
        op_name: 'search',
        name: 'search',
        kind: 'other',
        status: 'error',
        started_at: at(2),
        ended_at: at(3),
      },
      {
        ...sent,
        id: running,
        parent_id: root,
        op_name: 'think',
        name: 'think',
        kind: 'other',
        status: 'running',
        started_at: at(4),
        ended_at: null,
      },
    ]
    for (const call_id of [root, failed, running]) expect(await traceOf({ project_id, call_id })).toEqual(expected)
    expect(await traceOf({ project_id, call_id: root, limit: 2 })).toEqual(expected.slice(0, 2))
  })

  test('are those of one project, and of living calls alone', async () => {
    const [project_id, other] = [app.newProject(), app.newProject()]
    const [trace_id, id, deleted] = [newId(), newId(), newId()]
    await record(app.client, aCall({ project_id, trace_id, id }), aCall({ project_id, trace_id, id: deleted }))
    await record(app.client, aCall({ project_id: other, trace_id }))
    await app.client.calls.delete({ project_id, call_ids: [deleted] })
    expect((await traceOf({ project_id, call_id: id })).map((call) => call.id)).toEqual([id])
    await expect(traceOf({ project_id, call_id: deleted })).rejects.toMatchObject({
      status: 404,
      message: `Call ${deleted} was not found in ${project_id}`,
    })
    await expect(traceOf({ project_id: other, call_id: id })).rejects.toMatchObject({ status: 404 })
  })

  test.each([0, 50_001])('are at most 50,000: a limit of %i is refused', async (limit) => {
    await expect(traceOf({ project_id: app.newProject(), call_id: 'c', limit })).rejects.toMatchObject({ status: 422 })
  })

  test('have the name of their span, and the kind that its attributes say', async () => {
    const project_id = app.newProject()
    const traceId = 'a'.repeat(32)
    const times = { startTimeUnixNano: '1767225600000000000', endTimeUnixNano: '1767225601000000000' }
    const attributes = [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }]
    const span = { traceId, spanId: 'b'.repeat(16), name: 'Chat with Claude', kind: 3, attributes, ...times }
    const resource = { attributes: [] }
    const unnamed = { ...span, spanId: 'c'.repeat(16), parentSpanId: span.spanId, attributes: [] }
    const scope = { name: 'an.instrumentation', version: '1.2.3' }
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }, { spans: [unnamed] }] }] }
    const headers = { 'content-type': 'application/json', project_id }
    expect(await sendRaw(app, { path: '/otel/v1/traces', body, headers })).toMatchObject({ status: 200 })
    const [call] = await findCalls(app.client, { project_id })
    expect(await traceOf({ project_id, call_id: call?.id ?? '' })).toMatchObject([
      { name: 'Chat with Claude', kind: 'model', is_model_call: true, wire: 'otlp', scope: 'an.instrumentation' },
      { is_model_call: false, wire: 'otlp', scope: null },
    ])
  })

  test('have the status of their trace: errors that a client counted and did not send are known above it', async () => {
    const project_id = app.newProject()
    const [trace_id, root, agent] = [newId(), newId(), newId()]
    const summary = { status_counts: { success: 1, error: 2 } }
    await record(
      app.client,
      aCall({ project_id, trace_id, id: root }),
      aCall({ project_id, trace_id, id: agent, parent_id: root, summary }),
      aCall({ project_id, trace_id, parent_id: root }),
    )
    const statuses = (await traceOf({ project_id, call_id: root })).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['descendant_error', 'descendant_error', 'success'])
    const { traces } = await app.client.calls.traceTotals({ project_id, start: null, trace_ids: [trace_id] })
    expect(traces).toMatchObject([{ status: 'descendant_error', errors: 0 }])
  })

  test('have the name and the kind that their whole attributes say, in whatever form these are', async () => {
    const word = fc.constantFrom(
      'chat',
      'LLM',
      'tool',
      'chain',
      'invoke_agent',
      'scorer',
      'speech',
      'ai.streamText',
      'ai.rerank.doRerank',
      'no kind',
      '',
    )
    const said = word.filter((text) => text !== '')
    const nested = fc.record({ operation: fc.record({ name: word }) })
    const anAttribute = fc.record(
      {
        operation_name: word,
        kind: fc.oneof(word, fc.constantFrom(3, null, { a: 1 })),
        'gen_ai.operation.name': said,
        gen_ai: nested,
        'openinference.span.kind': said,
        traceloop: fc.record({ span: fc.record({ kind: word }) }),
        weave: fc.record({ kind: word, score: fc.constantFrom('true', 'false') }, { requiredKeys: [] }),
        _weave_eval_meta: fc.record({ score: fc.boolean() }),
        tool_name: word,
        agent_name: word,
        otel_span: fc.record({ name: fc.constantFrom('A span', 'chat “x”') }),
        more: fc.string(),
      },
      { requiredKeys: [] },
    )
    const opName = fc.constantFrom('op', 'weave:///e/p/op/exact.score:abc', 'weave:///e/p/op/run:abc')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anAttribute, opName), { minLength: 1, maxLength: 30 }), async (calls) => {
        const project_id = app.newProject()
        const trace_id = newId()
        const written = calls.map(([attributes, op_name]) => aCall({ project_id, trace_id, op_name, attributes }))
        await record(app.client, ...written)
        const shown = await traceOf({ project_id, call_id: written[0]?.id ?? '' })
        const told = new Map(shown.map(({ id, name, kind, is_model_call }) => [id, { name, kind, is_model_call }]))
        for (const call of written) {
          const expected = { name: displayNameOf(call), kind: callKindOf(call), is_model_call: isModelCall(call.attributes, false) }
          expect(told.get(call.id)).toEqual(expected)
        }
      }),
      { numRuns: trials({ usual: 8, long: 500 }) },
    )
  })
})
