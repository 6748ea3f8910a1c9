import { JsonNumber } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { findExchangeProblem, readExchanges } from './read-exchanges.ts'
import { isChoice } from './trajectory.ts'

const isTrainedModel = (name: string) => name === 'ours'
const read = (exchanges: unknown) => readExchanges(exchanges, { isTrainedModel, place: 'trajectory.exchanges' })

const said = (content: string) => ({ role: 'user', content })
const answered = (content: string) => ({ role: 'assistant', content })

function anExchange(
  messages: unknown[],
  content: string,
  { at = '2025-01-01T00:00:00Z', model = 'ours', tools = undefined as unknown } = {},
) {
  return {
    request: { messages, model, ...(tools ? { tools } : {}) },
    response: {
      model,
      prompt_token_ids: [1, 2],
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content, refusal: null },
          token_ids: [3],
          logprobs: { content: [] },
        },
      ],
    },
    start_time: at,
    end_time: at,
  }
}

/** Choices in brackets. */
const shown = (exchanges: unknown[]) =>
  read({ chat_completions: exchanges }).map(({ messages_and_choices: elements }) =>
    elements.map((element) => (isChoice(element) ? `[${element.message.content as string}]` : element.content)).join(' '),
  )

describe('exchanges become conversations', () => {
  test('a request that begins with an earlier one and its response continues with it', () => {
    const first = anExchange([said('a')], 'A')
    const second = anExchange([said('a'), answered('A'), said('b')], 'B')
    expect(shown([first, second])).toEqual(['a [A] b [B]'])
  })

  test('continues after a call whose arguments are an object with numbers that JavaScript would serialize differently', () => {
    const call = (id: string) => ({ id: 'c', function: { name: 'f', arguments: { id: new JsonNumber(id) } } })
    const withCall = (id: string) => ({ ...answered(''), tool_calls: [call(id)] })
    const first = anExchange([said('a')], '')
    Object.assign(first.response.choices[0]!.message, { tool_calls: [call('9007199254740993')] })
    const next = (id: string) => anExchange([said('a'), withCall(id), said('b')], 'B')
    expect(shown([first, next('9007199254740993')])).toEqual(['a [] b [B]'])
    expect(shown([first, next('9007199254740992')])).toEqual(['a []', 'a  b [B]'])
  })

  test('any other opens a conversation of its own', () => {
    const exchanges = [
      anExchange([said('a')], 'A'),
      anExchange([said('a'), answered('other'), said('b')], 'B'),
      anExchange([said('c')], 'C'),
    ]
    expect(shown(exchanges)).toEqual(['a [A]', 'a other b [B]', 'c [C]'])
  })

  test('in the order of their start', () => {
    const second = anExchange([said('a'), answered('A'), said('b')], 'B', { at: '2025-01-01T00:00:02Z' })
    expect(shown([second, anExchange([said('a')], 'A', { at: '2025-01-01T00:00:01Z' })])).toEqual(['a [A] b [B]'])
  })

  test('the same request twice gives two conversations: attempts at the same', () => {
    const again = [anExchange([said('a')], 'A'), anExchange([said('a')], 'B'), anExchange([said('a'), answered('B'), said('b')], 'C')]
    expect(shown(again)).toEqual(['a [A]', 'a [B] b [C]'])
  })

  test('a response of another model is context', () => {
    const second = anExchange([said('a'), answered('A'), said('b')], 'B')
    expect(shown([anExchange([said('a')], 'A', { model: 'judge' }), second])).toEqual(['a A b [B]'])
  })

  test('nulls with which clients fill messages out make no difference, tool calls do', () => {
    const filled = { role: 'assistant', content: 'A', refusal: null, annotations: [], tool_calls: null }
    const calling = { ...filled, tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] }
    expect(shown([anExchange([said('a')], 'A'), anExchange([said('a'), filled, said('b')], 'B')])).toEqual(['a [A] b [B]'])
    expect(shown([anExchange([said('a')], 'A'), anExchange([said('a'), calling, said('b')], 'B')])).toEqual(['a [A]', 'a A b [B]'])
  })

  test('a choice has the prompt tokens of its response, and the history the tools of its request', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const [history] = read({ chat_completions: [anExchange([said('a')], 'A', { tools })] })
    expect(history).toMatchObject({ tools, messages_and_choices: [said('a'), { token_ids: [3], prompt_token_ids: [1, 2] }] })
  })
})

describe('exchanges are refused', () => {
  test.each([
    [{ responses: [{}] }, 'trajectory.exchanges.responses: responses cannot be trained on'],
    [{ chat_completions: [], messages: [{}] }, 'trajectory.exchanges.messages: messages cannot be trained on'],
    [{ completions: [{}] }, 'trajectory.exchanges.completions'],
    [{ chat_completions: [{ request: {} }] }, 'trajectory.exchanges.chat_completions.0: Input should have a request with messages'],
    [{ chat_completions: 4 }, 'trajectory.exchanges.chat_completions: Input should be a valid list'],
    ['text', 'trajectory.exchanges: Input should be a valid dictionary'],
  ])('%j', (exchanges, message) => {
    expect(() => read(exchanges)).toThrow(message)
  })

  test('with more conversations than a trajectory may have', () => {
    const many = Array.from({ length: 65 }, (_, at) => anExchange([said(`question ${at}`)], 'A'))
    expect(() => read({ chat_completions: many })).toThrow('holds more than 64 conversations')
    expect(findExchangeProblem({ chat_completions: many, responses: [], messages: null })).toBeNull()
  })
})
