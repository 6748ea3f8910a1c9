import { expect, test } from 'vitest'
import { addLine, emptyRun } from './provider-lines.ts'

const runOf = (...lines: unknown[]) => lines.reduce(addLine, emptyRun)
const said = (delta: unknown, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })

test('an answer grows with the chunks of the provider, and has their usage and the call', () => {
  const lines = [
    { _meta: { weave_call_id: 'c' } },
    said({ content: 'Hel', reasoning_content: 'h' }),
    said({ content: 'lo', reasoning: 'm' }),
    said({ tool_calls: [{ index: 0, id: '1', function: { name: 'find', arguments: '{"q"' } }] }),
    said({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, { finish_reason: 'tool_calls' }),
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
  ]
  expect(runOf(...lines.slice(0, 2))).toMatchObject({ answer: { text: 'Hel' }, callId: 'c' })
  expect(runOf(...lines)).toEqual({
    answer: {
      text: 'Hello',
      reasoning: 'hm',
      toolCalls: [{ index: 0, id: '1', name: 'find', arguments: '{"q":1}' }],
      finishReason: 'tool_calls',
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    },
    callId: 'c',
  })
})

test('a failure keeps what came before it, and a call that could not be recorded is taken back', () => {
  expect(
    runOf({ _meta: { weave_call_id: 'c' } }, said({ content: 'Hel' }), { _meta: { weave_call_id: null } }, { error: 'gone' }),
  ).toMatchObject({
    answer: { text: 'Hel' },
    problem: 'gone',
    callId: null,
  })
})

test.each([
  [{}],
  [null],
  ['text'],
  [{ choices: [], usage: { prompt_tokens: 'x' } }],
  [{ choices: [{ delta: 1 }] }],
  [said({ tool_calls: 'x' })],
])('of %j it stays empty', (line) => {
  expect(runOf(line)).toEqual(emptyRun)
})
