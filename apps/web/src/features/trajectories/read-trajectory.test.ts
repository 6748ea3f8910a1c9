import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from '@heddle/json/exact'
import { toText } from '../../lib/texts/to-text.ts'
import { countedInNumbers } from './counted-in-numbers.ts'
import { readHistories } from './read-trajectory.ts'

test('what a program recorded keeps its numbers as they were sent, and rewards are numbers', () => {
  const text = `{"reward":1.0,"metrics":{"steps":2.0},"metadata":{"seed":12345678901234567890,"rate":1.0},"tools":[{"const":9007199254740993}],
    "messages":[{"role":"tool","content":{"id":9007199254740993,"rate":0.10},"history":0},
    {"role":"assistant","content":"a","history":0,"sampled_tokens":[{"token":"a","logprob":-1.0}]}]}`
  const { reward, metrics, metadata, tools, messages } = countedInNumbers(
    parseExactJson(text) as { reward: number; metrics: object; metadata: object; tools: unknown[]; messages: Record<string, unknown>[] },
  )
  expect({ reward, metrics }).toEqual({ reward: 1, metrics: { steps: 2 } })
  expect(toText(metadata)).toBe('{\n  "seed": 12345678901234567890,\n  "rate": 1.0\n}')
  expect(toText(tools)).toContain('9007199254740993')
  const [history] = readHistories({ messages })
  expect(history?.[0]?.text).toBe('{\n  "id": 9007199254740993,\n  "rate": 0.10\n}')
  expect(history?.[1]?.tokens).toEqual([{ token: 'a', logprob: -1 }])
})

test('histories are apart, calls of tools have their arguments, and results the name of their tool', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }], trainable: false, history: 0 },
    { role: 'assistant', content: null, tool_calls: [call], trainable: true, history: 0, finish_reason: 'tool_calls' },
    { role: 'tool', content: 'snow', tool_call_id: 'c1', trainable: false, history: 0 },
    {
      role: 'assistant',
      content: 'It',
      trainable: true,
      history: 1,
      finish_reason: 'length',
      sampled_tokens: [
        { token: 'It', logprob: -1 },
        { token: '.', logprob: null },
      ],
    },
  ]
  const [first, second] = readHistories({ messages })
  expect(first).toMatchObject([
    { role: 'user', text: 'Weather?', isSampled: false },
    { calls: [{ name: 'get_weather', text: '{"city":"Oslo"}' }], isSampled: true, isCut: false },
    { role: 'tool', text: 'snow', resultOf: 'get_weather' },
  ])
  expect(second).toMatchObject([
    {
      isCut: true,
      tokens: [
        { token: 'It', logprob: -1 },
        { token: '.', logprob: null },
      ],
    },
  ])
})

test('no message breaks the reading', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('role', 'content', 'tool_calls', 'sampled_tokens', 'history'), fc.jsonValue())),
      (messages) => {
        expect(readHistories({ messages }).flat()).toHaveLength(messages.length)
      },
    ),
  )
})
