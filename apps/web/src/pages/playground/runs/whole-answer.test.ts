import { expect, test } from 'vitest'
import { emptyAnswer } from './answer.ts'
import { toAnswer } from './whole-answer.ts'

test('an answer has what the provider said', () => {
  const text = `{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"reasoning_content":"hm","tool_calls":[{"id":"1","function":{"name":"find","arguments":"{}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`
  expect(toAnswer(JSON.parse(text))).toEqual({
    text: '',
    reasoning: 'hm',
    toolCalls: [{ id: '1', name: 'find', arguments: '{}' }],
    finishReason: 'tool_calls',
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
})

test.each([[{}], [null], ['text'], [{ choices: [], usage: { prompt_tokens: 'x' } }], [{ choices: [{ message: 1 }] }]])(
  'of %j it is empty',
  (response) => {
    expect(toAnswer(response)).toEqual(emptyAnswer)
  },
)
