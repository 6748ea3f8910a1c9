import { expect, test } from 'vitest'
import { addChunk } from './add-chunk.ts'
import { emptyAnswer, toAnswerMessage } from './answer.ts'

type Chunk = Parameters<typeof addChunk>[1]
const chunk = (delta: Chunk['choices'][number]['delta'], finish_reason: 'stop' | 'tool_calls' | null = null): Chunk => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const called = (index: number, given: { id?: string; name?: string; arguments?: string }) => ({
  index,
  id: given.id,
  function: { name: given.name, arguments: given.arguments },
})

test('the parts of a stream become one answer with its usage', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const chunks: Chunk[] = [chunk({ content: 'Hel' }), chunk({ content: 'lo', reasoning: 'hm' }, 'stop'), { choices: [], usage }]
  expect(chunks.reduce(addChunk, emptyAnswer)).toEqual({ text: 'Hello', reasoning: 'hm', toolCalls: [], finishReason: 'stop', usage })
})

test('tool calls are joined by their index', () => {
  const answer = [
    chunk({ tool_calls: [called(0, { id: 'a', name: 'find', arguments: '{"q"' })] }),
    chunk({ tool_calls: [called(0, { arguments: ':1}' }), called(1, { id: 'b', name: 'look', arguments: '{}' })] }, 'tool_calls'),
  ].reduce(addChunk, emptyAnswer)
  expect(toAnswerMessage(answer)).toEqual({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
      { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
    ],
  })
})
