import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { unboundedPlaces } from '../testing/unbounded-places.ts'
import { unboundedSchemas } from '../testing/unbounded-schemas.ts'
import { unboundedProperties, unboundedTexts } from '../testing/unbounded-texts.ts'
import { training } from './index.ts'
import { Trajectory, TrajectoryGroup } from './trajectory.ts'

const operations = Object.entries(training).flatMap(([resource, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
)

// Which methods and paths there are is in `src/routes`, a committed list that changes with the contract.
test('no two operations have the same method and path', () => {
  const targets = operations.flatMap(({ operation: { method, path, aliases = [] } }) => [path, ...aliases].map((one) => `${method} ${one}`))
  expect(targets.filter((target, at) => targets.indexOf(target) !== at)).toEqual([])
})

test('chats are answered below a path that ends in a slash as well', () => {
  expect(training.chatCompletions.create.aliases).toEqual(['/v1/chat/completions/'])
})

test('every operation needs an API key', () => {
  expect(operations.filter(({ operation }) => operation.open)).toEqual([])
})

describe.each(operations)('$name', ({ operation }) => {
  test('declares every parameter of its path and one kind of body at most', () => {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(named)
    expect([operation.body, operation.multipart, operation.bytes].filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('describes every field that a caller gives', () => {
    const fields = [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      Object.entries(part?.shape ?? {}),
    )
    expect(fields.filter(([, field]) => !field.description).map(([name]) => name)).toEqual([])
  })
})

test('the length of every list and every dictionary of a body is checked before its entries', () => {
  const places = operations.flatMap(({ name, operation }) => (operation.body ? unboundedSchemas(operation.body, name) : []))
  expect(places).toEqual([])
})

test('every list and every dictionary of a request has a documented maximum', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      part === undefined ? [] : unboundedPlaces(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places).toEqual([])
})

test('every id, name and reference of a request has a documented maximum; texts without one have a reason', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      part === undefined ? [] : unboundedTexts(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places.filter((place) => !Object.hasOwn(unboundedProperties, place.split('.').at(-1)!))).toEqual([])
})

const choice = { finish_reason: 'stop', index: 0, message: { role: 'assistant', content: 'hi' }, logprobs: null }
const pathsOf = (value: unknown) => {
  const { error } = Trajectory.safeParse(value)
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}

describe('a trajectory', () => {
  test('has a default for every field', () => {
    expect(Trajectory.parse({})).toEqual({
      messages_and_choices: [],
      tools: null,
      additional_histories: [],
      reward: 0,
      initial_policy_version: null,
      final_policy_version: null,
      metrics: {},
      metadata: {},
      logs: [],
      start_time: null,
    })
  })

  test('takes null for what is not given', () => {
    expect(pathsOf({ messages_and_choices: null, tools: null, metrics: null, logs: null, start_time: null })).toEqual([])
  })

  test('keeps the further keys of messages and choices', () => {
    const message = { role: 'tool', content: '4', tool_call_id: 'c', name: 'add' }
    const sampled = { ...choice, art_completion_tokens: 3, message: { ...choice.message, annotations: null } }
    const { messages_and_choices } = Trajectory.parse({ messages_and_choices: [message, sampled] })
    expect(messages_and_choices).toEqual([expect.objectContaining(message), expect.objectContaining({ art_completion_tokens: 3 })])
  })

  test.each([
    ['a reward that is not a number', { reward: 'NaN' }, 'reward'],
    ['a reward of null, which JavaScript writes for NaN', { reward: null }, 'reward'],
    ['an infinite reward', { reward: '-Infinity' }, 'reward'],
    ['metadata that is nested', { metadata: { a: 1, b: { c: 2 } } }, 'metadata.b'],
    ['a metric that is a text', { metrics: { a: 'x' } }, 'metrics.a'],
    ['a metric beyond the numbers of JavaScript', { metrics: { a: 1, b: JSON.parse('1e999') } }, 'metrics.b'],
    ['metadata beyond them', { metadata: { a: -Infinity } }, 'metadata.a'],
    ['an element that is neither message nor choice', { messages_and_choices: [{ text: 'hi' }] }, 'messages_and_choices.0'],
    ['a message of an unknown role', { messages_and_choices: [{ role: 'robot' }] }, 'messages_and_choices.0.role'],
    ['a choice without the reason of its end', { messages_and_choices: [{ message: {} }] }, 'messages_and_choices.0.finish_reason'],
    [
      'a log-probability above 0',
      { messages_and_choices: [{ ...choice, logprobs: { content: [{ token: 'a', logprob: 0.5 }] } }] },
      'messages_and_choices.0.logprobs.content.0.logprob',
    ],
  ])('is refused for %s', (_, value, path) => {
    expect(pathsOf(value)).toEqual([path])
  })

  test('may have log-probabilities that rounding made positive, and the mark for those that were not computed', () => {
    const content = [0.0005, -9999].map((logprob) => ({ token: 'token_id:1', logprob, bytes: null, top_logprobs: [] }))
    expect(pathsOf({ messages_and_choices: [{ ...choice, logprobs: { content, refusal: null } }] })).toEqual([])
  })
})

test('a group keeps what clients send beside its trajectories', () => {
  const group = { trajectories: [{}], exceptions: [{ type: 'E', message: 'm', traceback: 't' }], metadata: { scenario_id: 7 }, extra: 1 }
  expect(TrajectoryGroup.parse(group)).toMatchObject({ exceptions: [{ type: 'E' }], metadata: { scenario_id: 7 }, extra: 1, metrics: {} })
})
