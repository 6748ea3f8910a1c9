import { expect, test } from 'vitest'
import type { Call } from '@heddle/core-api/types'
import { silentTurns, textsOfThread } from './thread-texts.ts'

const turn = (id: string, part: Partial<Call>) =>
  ({ id, inputs: { question: 'Why?' }, output: 'Because.', exception: null, ...part }) as Call
const calls = new Map(
  [
    turn('asked', {}),
    turn('agent', { inputs: { init_state: { steps: { setup: 'any text' } }, start_event: 'AgentWorkflowStartEvent()' } }),
    turn('stopped', { output: 'StopEvent(result=AgentOutput(response=ChatMessage(role=assistant)))' }),
    turn('failed', { output: null, exception: 'ValueError: no' }),
  ].map((call) => [call.id, call]),
)
const thread = (first: string | null, last: string | null) => ({ first_turn_id: first, last_turn_id: last })
const below = new Map(['asked', 'agent', 'stopped', 'failed'].map((id) => [id, { input: 'Six times seven?', output: 'Forty-two.' }]))

test.each([
  [thread('asked', 'asked'), [], { first: 'Why?', last: 'Because.', isFailed: false }],
  [thread('agent', 'asked'), ['agent'], { first: 'Six times seven?', last: 'Because.', isFailed: false }],
  [thread('asked', 'stopped'), ['stopped'], { first: 'Why?', last: 'Forty-two.', isFailed: false }],
  [thread('agent', 'agent'), ['agent'], { first: 'Six times seven?', last: 'Because.', isFailed: false }],
  [thread('asked', 'failed'), [], { first: 'Why?', last: 'ValueError: no', isFailed: true }],
  [thread('deleted', null), [], { first: '', last: '', isFailed: false }],
])('of %j the turns %j are read below, and the list shows %j', (ends, silent, texts) => {
  expect(silentTurns([ends], calls).map(({ id }) => id)).toEqual(silent)
  expect(textsOfThread(ends, calls, below)).toEqual(texts)
})

test('the state of an agent is shown where nothing is said below it, and a turn of two threads is read once', () => {
  const { first } = textsOfThread(thread('agent', null), calls, new Map())
  expect(first).toContain('any text')
  expect(silentTurns([thread('agent', null), thread('agent', 'stopped')], calls)).toHaveLength(2)
})
