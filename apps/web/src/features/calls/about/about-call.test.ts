import { expect, test } from 'vitest'
import { toAboutCall } from './about-call.ts'

const call = { op_name: 'weave:///e/p/op/answer:abc', display_name: null, attributes: {}, inputs: {} }

test.each([
  [{}, { kind: 'other', name: 'answer', input: '' }],
  [{ display_name: 'Tea time' }, { name: 'Tea time' }],
  [{ attributes: { otel_span: { name: 'Chat' }, operation_name: 'chat' } }, { kind: 'model', name: 'Chat' }],
  [{ inputs: { question: 'Where is\nOslo?' } }, { input: 'Where is Oslo?' }],
  [{ inputs: { question: 'Where?', limit: 3 } }, { input: 'question: Where? · limit: 3' }],
  [
    {
      inputs: { messages: [{ role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { name: 'find', arguments: '{}' } }] }] },
    },
    { input: 'find(…)' },
  ],
  [
    { inputs: { self: 'weave:///e/p/object/agent:v1', inputs: { question: 'Where?', limit: 3 } } },
    { input: 'question: Where? · limit: 3' },
  ],
  [{ inputs: { question: 'x'.repeat(200) } }, { input: `${'x'.repeat(120)}…` }],
])('the call with %j is known as %j', (fields, known) => expect(toAboutCall({ ...call, ...fields })).toMatchObject(known))
