import { expect, test } from 'vitest'
import { callKindOf } from './call-kind.ts'

const ref = (name: string) => `weave:///e/p/op/${name}:abc`

test.each([
  // The operation of a span, as it is mapped, flat or nested.
  ['chat', { operation_name: 'chat' }, 'model'],
  ['chat', { 'gen_ai.operation.name': 'text_completion' }, 'model'],
  ['chat', { gen_ai: { operation: { name: 'generate_content' } } }, 'model'],
  ['run', { operation_name: 'execute_tool' }, 'tool'],
  ['run', { operation_name: 'invoke_agent' }, 'agent'],
  ['run', { operation_name: 'create_agent' }, 'agent'],
  ['run', { operation_name: 'agent.run' }, 'agent'],
  ['run', { gen_ai: { operation: { name: 'agent.run' } } }, 'agent'],
  ['run', { operation_name: 'embeddings' }, 'retrieval'],
  ['run', { operation_name: 'retrieval' }, 'retrieval'],
  ['run', { operation_name: 'invoke_workflow' }, 'other'],
  ['run', { operation_name: 'image_generation' }, 'model'],
  ['run', { operation_name: 'transcription' }, 'model'],
  ['run', { operation_name: 'ai.streamText.doStream' }, 'model'],
  ['run', { operation_name: 'ai.embedMany' }, 'retrieval'],
  ['run', { operation_name: 'ai.toolCall' }, 'tool'],
  // It says more than the kind.
  ['run', { operation_name: 'chat', kind: 'agent' }, 'model'],
  ['run', { operation_name: 'something new', kind: 'TOOL' }, 'tool'],
  // Kinds of other conventions.
  ['run', { kind: 'LLM' }, 'model'],
  ['run', { kind: 'generation' }, 'model'],
  ['run', { kind: 'CHAT_MODEL' }, 'model'],
  ['run', { kind: 'AGENT' }, 'agent'],
  ['run', { kind: 'agent.run' }, 'agent'],
  ['run', { kind: 'RETRIEVER' }, 'retrieval'],
  ['run', { kind: 'RERANKER' }, 'retrieval'],
  ['run', { kind: 'EMBEDDING' }, 'retrieval'],
  ['run', { kind: 'EVALUATOR' }, 'evaluation'],
  ['run', { openinference: { span: { kind: 'TOOL' } } }, 'tool'],
  ['run', { 'traceloop.span.kind': 'workflow' }, 'other'],
  ['run', { kind: 'UNKNOWN', tool_name: 'search' }, 'tool'],
  // Kinds of calls.
  [ref('answer'), { weave: { kind: 'llm' } }, 'model'],
  [ref('answer'), { weave: { kind: 'scorer' } }, 'evaluation'],
  // Marks of calls.
  [ref('exact.score'), {}, 'evaluation'],
  [ref('exact'), { weave: { score: 'true' } }, 'evaluation'],
  [ref('exact'), { _weave_eval_meta: { score: true } }, 'evaluation'],
  [ref('Evaluation.predict_and_score'), {}, 'evaluation'],
  ['Evaluation.evaluate', {}, 'evaluation'],
  ['My.Evaluation.evaluate', {}, 'other'],
  ['high.scores', {}, 'other'],
  ['run', { tool_name: 'search' }, 'tool'],
  ['run', { agent_name: 'planner' }, 'agent'],
  ['run', {}, 'other'],
  ['run', { kind: 3, weave: null, tool_name: '' }, 'other'],
])('a call of %s with %j is of the kind %s', (op_name, attributes, kind) => expect(callKindOf({ op_name, attributes })).toBe(kind))

test('a call that says nothing else used a model when it has usage of its own', () => {
  expect(callKindOf({ op_name: 'run', attributes: {} }, true)).toBe('model')
  expect(callKindOf({ op_name: 'run', attributes: { agent_name: 'planner' } }, true)).toBe('model')
  expect(callKindOf({ op_name: 'run', attributes: { kind: 'CHAIN' } }, true)).toBe('other')
})
