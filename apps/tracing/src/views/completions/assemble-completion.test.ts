import type { JsonObject } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { assembleCompletion } from './assemble-completion.ts'

function assembled(...chunks: JsonObject[]) {
  const answer = assembleCompletion()
  for (const chunk of chunks) answer.add(chunk)
  return answer.response()
}
const part = (delta: JsonObject, more: JsonObject = {}) => ({ choices: [{ index: 0, delta, ...more }] })

test('texts are joined, and the last that was said of everything else stays', () => {
  const head = { id: 'c', object: 'chat.completion.chunk', model: 'm' }
  expect(
    assembled(
      {
        ...head,
        ...part({ role: 'assistant', content: 'Hel', reasoning: 'h' }, { finish_reason: null, logprobs: { content: [{ token: 'Hel' }] } }),
      },
      {
        ...head,
        ...part({ content: 'lo', reasoning: 'm', refusal: null }, { finish_reason: 'stop', logprobs: { content: [{ token: 'lo' }] } }),
      },
      { ...head, choices: [], usage: { total_tokens: 7 } },
      { ...head, choices: [], usage: null },
    ),
  ).toEqual({
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    usage: { total_tokens: 7 },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', reasoning: 'hm', refusal: null },
        logprobs: { content: [{ token: 'Hel' }, { token: 'lo' }] },
        finish_reason: 'stop',
      },
    ],
  })
})

test('tool calls and choices are found by their index, in whichever order they come', () => {
  const called = (index: number, more: JsonObject) => part({ tool_calls: [{ index, ...more }] })
  const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })
  expect(
    assembled(
      choice(1, 'sec'),
      called(1, { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } }),
      called(0, { id: 'a', type: 'function', function: { name: 'find', arguments: '{"q"' } }),
      choice(1, 'ond'),
      called(0, { function: { arguments: ':1}' } }),
    ),
  ).toEqual({
    choices: [
      {
        index: 0,
        message: {
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
            { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
      },
      { index: 1, message: { content: 'second' } },
    ],
  })
})

test.each([[{}], [{ choices: null }], [{ choices: [1, null, { delta: 'text' }] }], [part({ tool_calls: [7], function: 'f' })]])(
  'what is not of a chunk is no reason to fail: %j',
  (chunk) => {
    expect(assembled(chunk as JsonObject)).toMatchObject({ choices: expect.any(Array) })
  },
)

test('names of fields reach no prototype', () => {
  const response = assembled(JSON.parse('{"__proto__":{"a":1},"choices":[{"delta":{"__proto__":{"a":1}}}]}') as JsonObject)
  expect([Object.getPrototypeOf(response), (response as { a?: unknown }).a]).toEqual([Object.prototype, undefined])
})
