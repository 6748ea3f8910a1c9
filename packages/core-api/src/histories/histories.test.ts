import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Choice, isChoice, type Message, messageOf } from './chat.ts'
import { isEqualJson } from './histories.ts'
import { createHistories } from './histories.ts'
import { messageKey } from './message-key.ts'

const user = (content: string): Message => ({ role: 'user', content })
const choice = (content: string, more: object = {}): Choice => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content, ...more },
})
const exchange = (messages: readonly Message[], ...choices: Choice[]) => ({ messages, tools: null, choices, trainable: true })

describe('chat completions become histories', () => {
  test('a request that begins with a history and its choice continues it', () => {
    const histories = createHistories()
    const first = choice('4', { refusal: null, tool_calls: [] })
    histories.add(exchange([user('2+2?')], first))
    // A client sends the message back as it likes to write it.
    histories.add(exchange([user('2+2?'), { content: '4', role: 'assistant' }, user('and 3+3?')], choice('6')))
    expect(histories.list()).toEqual([{ messages_and_choices: [user('2+2?'), first, user('and 3+3?'), choice('6')], tools: null }])
  })

  test('a retry, a second choice and other tools begin a history each', () => {
    const histories = createHistories()
    histories.add(exchange([user('a')], choice('1')))
    histories.add(exchange([user('a')], choice('2'), choice('3')))
    histories.add({ ...exchange([user('a'), { role: 'assistant', content: '1' }], choice('4')), tools: [{ type: 'function' }] })
    expect(histories.list().map(({ messages_and_choices: all }) => all.map((element) => messageOf(element)['content']))).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
      ['a', '1', '4'],
    ])
  })

  test('the longest history that fits is continued', () => {
    const histories = createHistories()
    histories.add(exchange([user('a')], choice('1')))
    histories.add(exchange([user('a'), { role: 'assistant', content: '1' }, user('b')], choice('2')))
    histories.add(exchange([user('a')], choice('1')))
    const said = [user('a'), { role: 'assistant', content: '1' }, user('b'), { role: 'assistant', content: '2' }, user('c')]
    histories.add(exchange(said, choice('3')))
    expect(histories.list().map(({ messages_and_choices: all }) => all.length)).toEqual([6, 2])
  })

  test('what another model said is context', () => {
    const histories = createHistories()
    histories.add({ ...exchange([user('a')], choice('1')), trainable: false })
    expect(histories.list()[0]?.messages_and_choices).toEqual([user('a'), { role: 'assistant', content: '1' }])
  })

  test('of any conversations with branches, every choice is there once, after just the messages that it was sampled from', () => {
    const turn = fc.record({ from: fc.nat(), text: fc.constantFrom('x', 'y'), choices: fc.integer({ min: 1, max: 2 }) })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 25 }), (turns) => {
        const histories = createHistories()
        const sampled = new Map<Choice, readonly Message[]>()
        const conversations: Message[][] = [[]]
        for (const [place, { from, text, choices: count }] of turns.entries()) {
          const messages = [...(conversations[from % conversations.length] ?? []), user(text)]
          const choices = Array.from({ length: count }, (_, index) => choice(`${place}.${index}`))
          histories.add(exchange(messages, ...choices))
          for (const made of choices) {
            sampled.set(made, messages)
            conversations.push([...messages, made.message])
          }
        }
        const found = histories
          .list()
          .flatMap(({ messages_and_choices: all }) =>
            all.flatMap((element, at) => (isChoice(element) ? [[element, all.slice(0, at)] as const] : [])),
          )
        expect(found).toHaveLength(sampled.size)
        for (const [element, before] of found)
          expect(before.map((one) => messageKey(messageOf(one)))).toEqual(sampled.get(element)?.map(messageKey))
      }),
    )
  })
})

const called = (text: string): Message => ({
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
})
const parts = (...texts: string[]): Message => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })

describe('messages are compared by what they mean', () => {
  test.each([
    ['arguments with other spaces', called('{"a": 1, "b":[2]}'), called('{"b":[2],"a":1}')],
    ['a text and the same as parts', user('hello there'), parts('hello ', 'there')],
    ['no content and an empty one', { role: 'assistant', content: null }, { role: 'assistant', content: '' }],
  ])('%s are the same message', (_case, one, other) => {
    expect(messageKey(one)).toBe(messageKey(other))
  })

  test.each([
    ['arguments with other values', called('{"a":1}'), called('{"a":2}')],
    ['arguments with numbers that parsing would round', called('{"a":90071992547409931}'), called('{"a":90071992547409932}')],
    ['arguments that are not JSON', called('{"a":1'), called('{"a": 1')],
    ['parts that are not all texts', parts('a'), { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }],
    ['other roles', user('a'), { role: 'system', content: 'a' }],
  ])('%s are other messages', (_case, one, other) => {
    expect(messageKey(one)).not.toBe(messageKey(other))
  })
})

test('JSON values are equal exactly when their texts are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
      const [first, second] = [JSON.stringify(one), JSON.stringify(other)]
      expect(isEqualJson(JSON.parse(first), JSON.parse(second))).toBe(first === second)
      expect(isEqualJson(JSON.parse(first), JSON.parse(first))).toBe(true)
    }),
  )
})
