import { stringifyJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { parseTrajectory } from './parse-trajectory.ts'

const tools = '[{"type":"function","function":{"name":"f","parameters":{"default":1.0,"maximum":12345678901234567890}}}]'

test('numbers of messages, metadata and metrics stay as they are written, and those of choices are numbers', () => {
  const message = '{"role":"user","content":[{"type":"text","text":"a","at":1.0}]}'
  const choice =
    '{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"b"},"logprobs":{"content":[{"token":"b","logprob":-1.0}]}}'
  const history = `{"messages_and_choices":[${message},${choice}]}`
  const metadata = '{"task":9007199254740993,"size":1.50}'
  const text = `{"messages_and_choices":[${message},${choice}],"additional_histories":[${history}],"metadata":${metadata},"metrics":{"a":1e3}}`
  const { messages_and_choices: elements, additional_histories: histories, ...sent } = parseTrajectory(text)
  expect([elements![0], histories![0]!.messages_and_choices![0]].map(stringifyJson)).toEqual([message, message])
  expect(elements![1]).toEqual(JSON.parse(choice))
  expect(stringifyJson(sent)).toBe(`{"metadata":${metadata},"metrics":{"a":1e3}}`)
})

test('the message of a choice keeps the numbers of its arguments, in a history and outside of one', () => {
  const message =
    '{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"f","arguments":{"id":9007199254740993,"rate":1.0}}}]}'
  const choice = `{"message":${message},"logprobs":{"content":[{"token":"b","logprob":-1.0}]}}`
  const { messages_and_choices: elements, additional_histories: histories } = parseTrajectory(
    `{"messages_and_choices":[${choice}],"additional_histories":[{"messages_and_choices":[${choice}]}]}`,
  )
  for (const [element] of [elements!, histories![0]!.messages_and_choices]) {
    const { message: kept, ...rest } = element as { message: unknown }
    expect(stringifyJson(kept)).toBe(message)
    expect(rest).toEqual({ logprobs: { content: [{ token: 'b', logprob: -1 }] } })
  }
})

test('requests and messages of exchanges keep their numbers, and sampled tokens are native numbers', () => {
  const call = '{"id":"c","function":{"name":"f","arguments":{"id":9007199254740993,"rate":1.0}}}'
  const request = `{"model":"ours","tools":${tools},"messages":[{"role":"user","content":[{"type":"text","text":"a","at":1.50}]}]}`
  const message = `{"role":"assistant","content":null,"tool_calls":[${call}]}`
  const sampled = '"token_ids":[1,2],"logprobs":{"content":[{"token":"a","logprob":-1.0},{"token":"b","logprob":-0.5}]}'
  const { exchanges } = parseTrajectory(
    `{"exchanges":{"chat_completions":[{"request":${request},"response":{"model":"ours","choices":[{"message":${message},${sampled}}]}}]}}`,
  )
  const [exchange] = (exchanges as { chat_completions: { request: unknown; response: { choices: { message: unknown }[] } }[] })
    .chat_completions
  expect(stringifyJson(exchange!.request)).toBe(request)
  const { message: kept, ...rest } = exchange!.response.choices[0]!
  expect(stringifyJson(kept)).toBe(message)
  expect(rest).toEqual(JSON.parse(`{${sampled}}`))
})

test('numbers of tools stay as they are written, and all others are numbers', () => {
  const text = `{"tools":${tools},"reward":1.0,"additional_histories":[{"messages_and_choices":[]},{"tools":${tools},"messages_and_choices":[]}]}`
  const { reward, tools: given, additional_histories: histories } = parseTrajectory(text)
  expect(reward).toBe(1)
  expect(stringifyJson(given)).toBe(tools)
  expect(stringifyJson(histories![1]!.tools)).toBe(tools)
  expect(histories![0]).toEqual({ messages_and_choices: [] })
})
