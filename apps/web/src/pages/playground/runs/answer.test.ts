import { expect, test } from 'vitest'
import { addChunk, emptyAnswer, toAnswerMessage } from './answer.ts'
import { continueWith } from './continue-with.ts'
import { toCall } from './recorded-run.ts'

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

test('tool calls are joined by their index, and the conversation continues with a result for each', () => {
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
  const next = continueWith([{ role: 'user', content: 'Hi' }], answer)
  expect(next.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
    ['user', undefined],
    ['assistant', undefined],
    ['tool', 'a'],
    ['tool', 'b'],
  ])
})

test('after a text the user speaks', () => {
  expect(continueWith([], addChunk(emptyAnswer, chunk({ content: 'Hi' })))).toEqual([
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: '' },
  ])
})

test('a run that was stopped is recorded with what was said, its tokens under its model, and why it ended', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const answer = { ...emptyAnswer, text: 'Hel', usage }
  const body = { model: 'small', messages: [] }
  expect(toCall('e/p', 'c1', { body, answer, problem: 'stopped', startedMs: 0, endedMs: 1_000 })).toMatchObject({
    id: 'c1',
    trace_id: 'c1',
    started_at: '1970-01-01T00:00:00.000Z',
    ended_at: '1970-01-01T00:00:01.000Z',
    inputs: body,
    output: { choices: [{ message: { role: 'assistant', content: 'Hel' } }] },
    summary: { usage: { small: { ...usage, requests: 1 } } },
    exception: 'stopped',
  })
})
