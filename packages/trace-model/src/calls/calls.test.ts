import { expect, test } from 'vitest'
import { statusOfCall, statusWithDescendants } from './call-status.ts'
import { isModelCall } from './is-model-call.ts'
import { latencyMsOf } from './latency.ts'

test.each<[object, boolean]>([
  [{ 'gen_ai.operation.name': 'chat' }, true],
  [{ gen_ai: { operation: { name: 'embeddings' } } }, true],
  [{ operation_name: 'text_completion' }, true],
  [{ openinference: { span: { kind: 'LLM' } } }, true],
  [{ 'openinference.span.kind': 'RERANKER' }, true],
  [{ 'openinference.span.kind': 'RETRIEVER' }, false],
  [{ 'traceloop.span.kind': 'workflow' }, false],
  [{ 'gen_ai.operation.name': 'invoke_agent' }, false],
  [{ 'gen_ai.operation.name': 'execute_tool' }, false],
  [{ 'ai.operationId': 'ai.generateText' }, false],
  [{ 'ai.operationId': 'ai.generateText.doGenerate' }, true],
  [{ 'ai.operationId': 'ai.streamObject.doStream' }, true],
  [{ 'ai.operationId': 'ai.embedMany' }, false],
  [{ 'ai.operationId': 'ai.embedMany.doEmbed' }, true],
  [{ 'ai.operationId': 'ai.toolCall' }, false],
  [{ kind: 'llm' }, true],
  [{ kind: 'chain', 'gen_ai.operation.name': 'chat' }, true],
  [{ tool_name: 'search' }, false],
  [{ agent_name: 'writer' }, false],
  [{}, true],
  [{ kind: 'not known' }, true],
])('%j of a call with usage', (attributes, expected) => expect(isModelCall(attributes, true)).toBe(expected))

test('a call that names no operation and has no usage calls no model', () => expect(isModelCall({}, false)).toBe(false))

test('an error is the status of a call before whether it ended', () => {
  expect(statusOfCall({ exception: 'no', ended_at: null })).toBe('error')
  expect(statusOfCall({ exception: '', ended_at: null })).toBe('running')
  expect(statusOfCall({ exception: null, ended_at: '2026-01-01T00:00:00Z' })).toBe('success')
})

test('errors that a client counted below a call are in the status of a success alone', () => {
  const ended_at = '2026-01-01T00:00:00Z'
  const summary = { status_counts: { success: 2, error: 1 } }
  expect(statusOfCall({ ended_at, summary })).toBe('descendant_error')
  expect(statusOfCall({ ended_at, summary, exception: 'no' })).toBe('error')
  expect(statusOfCall({ ended_at: null, summary })).toBe('running')
  for (const none of [{}, null, { status_counts: null }, { status_counts: { error: 0 } }, { status_counts: { error: 'one' } }])
    expect(statusOfCall({ ended_at, summary: none })).toBe('success')
})

test('only the status of a success is changed by errors below', () => {
  expect(statusWithDescendants('success', true)).toBe('descendant_error')
  expect(statusWithDescendants('success', false)).toBe('success')
  expect(statusWithDescendants('error', true)).toBe('error')
  expect(statusWithDescendants('running', true)).toBe('running')
})

test('latency is in whole milliseconds, and not known while a call runs', () => {
  expect(latencyMsOf({ started_at: '2026-01-01T00:00:00.000100Z', ended_at: '2026-01-01T00:00:01.002Z' })).toBe(1_001.9)
  expect(latencyMsOf({ started_at: '2026-01-01T00:00:00Z', ended_at: null })).toBeNull()
})
