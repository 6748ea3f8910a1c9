import { describe, expect, test } from 'vitest'
import { createTestTokenizer, renderPlain } from './testing/test-tokenizer.ts'
import { aChoice, aMessage } from './testing/token-choices.ts'
import { hasTrainableElement, tokenizeTrajectory } from './tokenize-trajectory.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'
import type { ChatChoice, Trajectory } from './trajectory.ts'

const options = { tokenizer: createTestTokenizer(), withoutLogProbabilities: false, isTrainedModel: (name: string) => name === 'ours' }
const tokenize = (trajectory: Trajectory, more: Partial<typeof options> = {}) =>
  tokenizeTrajectory(trajectory, { ...options, ...more }, 'trajectory_groups.0.trajectories.0')

/** Sampled tokens in brackets, those without a log-probability in braces. */
function shown(trajectory: Trajectory, more: Partial<typeof options> = {}): string[] {
  const { tokenizer } = { ...options, ...more }
  return tokenize(trajectory, more).sequences.map(({ tokens, mask, logProbabilities }) =>
    Array.from(tokens, (token, at) => {
      const text = tokenizer.decode([token])
      if (mask[at] === 0) return text
      return Number.isNaN(logProbabilities[at]!) ? `{${text}}` : `[${text}]`
    }).join(''),
  )
}

const codes = (text: string) => [...options.tokenizer.encode(text)]
const sampled = (text: string) => aChoice({ tokens: codes(text), content: text })
const carrying = (prompt: string, text: string) => aChoice({ tokens: codes(text), prompt: codes(prompt), content: text })
const user = (text: string) => aMessage('user', text)

describe('tokens that choices carry', () => {
  test('stand after their prompt, with their log-probabilities', () => {
    const choice = aChoice({ tokens: [20, 21], prompt: [10, 11], logprobs: [-0.1, -0.2] })
    const [sequence] = tokenize({ messages_and_choices: [user('ignored'), choice] }).sequences
    expect(sequence).toEqual({
      tokens: Int32Array.of(10, 11, 20, 21),
      mask: Uint8Array.of(0, 0, 1, 1),
      logProbabilities: Float64Array.of(Number.NaN, Number.NaN, -0.1, -0.2),
    })
  })

  test('continue the sequence when the next prompt begins with it', () => {
    expect(shown({ messages_and_choices: [carrying('ab', 'X'), carrying('abXcd', 'Y')] })).toEqual(['ab[X]cd[Y]'])
  })

  test('open a new sequence when the template rewrote an earlier turn', () => {
    expect(shown({ messages_and_choices: [carrying('ab', '(think)X'), carrying('abXcd', 'Y'), carrying('abXcdYe', 'Z')] })).toEqual([
      'ab[(][t][h][i][n][k][)][X]',
      'abXcd[Y]e[Z]',
    ])
  })

  test('have as many log-probabilities, or the job fails', () => {
    const choice = { ...aChoice({ tokens: [1, 2, 3], prompt: [9] }), token_ids: [1, 2] }
    expect(() => tokenize({ messages_and_choices: [choice] })).toThrow(
      'trajectory_groups.0.trajectories.0.messages_and_choices.0 has 3 logprob entries for 2 token_ids',
    )
  })

  test.each([
    ['a token', aChoice({ tokens: [1, 500], prompt: [9] })],
    ['a token of the prompt', aChoice({ tokens: [1], prompt: [9, -4] })],
  ])('are in the vocabulary: %s that is not is named', (_, choice) => {
    expect(() => tokenize({ messages_and_choices: [choice] })).toThrow(/has token (500|-4), which is not in the vocabulary of 131 tokens/)
  })

  test('of a choice without log-probabilities are context, in the prompt of the next', () => {
    const context = { ...carrying('ab', 'X'), logprobs: null }
    expect(shown({ messages_and_choices: [context, carrying('abXcd', 'Y')] })).toEqual(['abXcd[Y]'])
    expect(shown({ messages_and_choices: [context, carrying('abXcd', 'Y')] }, { withoutLogProbabilities: true })).toEqual(['ab{X}cd[Y]'])
  })

  test('at the very beginning cannot be learned: nothing comes before them', () => {
    expect(shown({ messages_and_choices: [aChoice({ tokens: codes('abc'), prompt: [], content: 'abc' })] })).toEqual(['a[b][c]'])
  })
})

describe('tokens from the template', () => {
  test('are context, with those that were sampled between', () => {
    const trajectory = { messages_and_choices: [user('hi'), sampled('yo</>'), user('so'), sampled('ok')] }
    expect(shown(trajectory)).toEqual(['<user>hi</><assistant>[y][o][</>]<user>so</><assistant>[o][k]'])
  })

  test('end with the last sample: what follows cannot influence the loss', () => {
    const trajectory = { messages_and_choices: [user('hi'), sampled('yo'), user('so'), aMessage('assistant', 'ok')] }
    expect(shown(trajectory)).toEqual(['<user>hi</><assistant>[y][o]'])
  })

  test('keep the end of a turn that was not sampled', () => {
    const trajectory = { messages_and_choices: [user('hi'), sampled('yo'), user('so'), sampled('ok')] }
    expect(shown(trajectory)).toEqual(['<user>hi</><assistant>[y][o]</><user>so</><assistant>[o][k]'])
  })

  test('never come from the text of a sample', () => {
    const choice = aChoice({ tokens: [5, 6, 7], content: 'some other text' })
    expect(tokenize({ messages_and_choices: [user('a'), choice] }).sequences[0]!.tokens.slice(-3)).toEqual(Int32Array.of(5, 6, 7))
  })

  test('are looked up by their text where entries do not name them, which is counted', () => {
    const choice: ChatChoice = {
      message: { content: 'x' },
      logprobs: { content: ['a', '', 'not in the vocabulary', 'token_id:66'].map((token) => ({ token, logprob: -1 })) },
    }
    const { sequences, lossyTokens } = tokenize({ messages_and_choices: [user('q'), choice] })
    expect([...sequences[0]!.tokens].slice(-4)).toEqual([97, 129, 129, 66])
    expect(lossyTokens).toBe(3)
  })

  test('are read from the refusal where the content has none', () => {
    const refusal = [{ token: 'token_id:65', logprob: -0.5 }]
    const choice = { message: { content: null }, logprobs: { content: null, refusal } }
    expect(shown({ messages_and_choices: [user('q'), choice] })).toEqual(['<user>q</><assistant>[A]'])
  })

  test('use the tools of their history, and a bare function becomes a tool', () => {
    const seen: unknown[] = []
    const tokenizer = createTestTokenizer({
      render: (conversation) => {
        seen.push(conversation.tools)
        return renderPlain(conversation)
      },
    })
    const history = { messages_and_choices: [user('b'), sampled('B')] }
    const tools = [{ name: 'add' }, { type: 'function', function: { name: 'sub' } }]
    const trajectory = { messages_and_choices: [user('a'), sampled('A')], tools, additional_histories: [history] }
    expect(shown(trajectory, { tokenizer })).toEqual(['[2 tools]<user>a</><assistant>[A]', '<user>b</><assistant>[B]'])
    expect(seen).toEqual([[{ type: 'function', function: { name: 'add' } }, tools[1]], null])
  })

  test('flatten a choice that is context to its message, with its tool calls', () => {
    const called = { message: { content: null, tool_calls: [{ name: 'f' }] }, logprobs: null }
    const trajectory = { messages_and_choices: [user('a'), called, aMessage('tool', '3'), sampled('A')] }
    expect(shown(trajectory)).toEqual(['<user>a</><assistant>[{"name":"f","arguments":"{}"}]</><tool>3</><assistant>[A]'])
  })

  test('drop the opening of reasoning that the sample wrote as well', () => {
    const tokenizer = createTestTokenizer({
      render: (conversation) => renderPlain(conversation).replaceAll('<assistant>', '<assistant><think>\n\n</think>\n\n'),
    })
    const trajectory = (text: string) => ({ messages_and_choices: [user('a'), sampled(text)] })
    expect(shown(trajectory('<think>h'), { tokenizer })).toEqual(['<user>a</><assistant>[<][t][h][i][n][k][>][h]'])
    expect(shown(trajectory('hm'), { tokenizer })).toEqual(['<user>a</><assistant><think>\n\n</think>\n\n[h][m]'])
  })

  test('cannot be placed when the template leaves out or repeats a turn', () => {
    const once = (conversation: Parameters<SequenceTokenizer['render']>[0]) => renderPlain({ messages: conversation.messages.slice(-1) })
    const twice = (conversation: Parameters<SequenceTokenizer['render']>[0]) => renderPlain(conversation).repeat(2)
    const trajectory = { messages_and_choices: [user('a'), sampled('A'), user('b'), sampled('B')] }
    for (const render of [once, twice]) {
      expect(() => tokenize(trajectory, { tokenizer: createTestTokenizer({ render }) })).toThrow(
        'send token_ids and prompt_token_ids with each choice',
      )
    }
  })

  test('are refused with the place when the template refuses the conversation', () => {
    const tokenizer = createTestTokenizer({
      render: () => {
        throw new Error('no system message')
      },
    })
    expect(() => tokenize({ messages_and_choices: [user('a'), sampled('A')] }, { tokenizer })).toThrow(
      'trajectory_groups.0.trajectories.0.messages_and_choices.1: no system message',
    )
  })

  test('are found although messages hold what marks are made of', () => {
    const text = 'sampledhere sampledhereQ0Q sampledherezQ0Q'
    const [sequence] = shown({ messages_and_choices: [user(text), sampled('A')] })
    expect(sequence).toBe(`<user>${text}</><assistant>[A]`)
  })
})

describe('log-probabilities', () => {
  test('of -9999 are missing', () => {
    const choice = aChoice({ tokens: codes('ab'), logprobs: [-0.5, -9999], content: 'ab' })
    expect(shown({ messages_and_choices: [user('q'), choice] })).toEqual(['<user>q</><assistant>[a]{b}'])
  })

  test.each([
    ['null', { ...sampled('A'), logprobs: null }],
    ['empty', { ...sampled('A'), logprobs: { content: [], refusal: null } }],
    ['all missing', aChoice({ tokens: [65], logprobs: [-9999] })],
  ])('that are %s make a choice context', (_, choice) => {
    expect(tokenize({ messages_and_choices: [user('q'), choice] }).sequences).toEqual([])
    expect(hasTrainableElement({ messages_and_choices: [user('q'), choice] }, options, 'p')).toBe(false)
  })

  test('are not needed when the config says so: choices and messages of the assistant are encoded by their text', () => {
    const plain = { message: { content: 'yo' }, logprobs: null }
    const trajectory = { messages_and_choices: [user('a'), plain, user('b'), aMessage('assistant', 'ok'), user('c'), sampled('A')] }
    const all = shown(trajectory, { withoutLogProbabilities: true })
    expect(all).toEqual(['<user>a</><assistant>{y}{o}</><user>b</><assistant>{o}{k}</><user>c</><assistant>[A]'])
    expect(shown(trajectory)).toEqual(['<user>a</><assistant>yo</><user>b</><assistant>ok</><user>c</><assistant>[A]'])
  })

  test('are needed where a turn has tool calls, whose tokens are not known', () => {
    const calling = { role: 'assistant', content: '', tool_calls: [{ id: '1' }] }
    expect(() => tokenize({ messages_and_choices: [user('a'), calling] }, { withoutLogProbabilities: true })).toThrow(
      'trajectory_groups.0.trajectories.0.messages_and_choices.1 has tool calls and no logprobs',
    )
  })
})

describe('histories', () => {
  test('are tokenized each on its own, and one without anything to train on gives nothing', () => {
    const trajectory = {
      messages_and_choices: [user('a')],
      additional_histories: [{ messages_and_choices: [user('b'), sampled('B')] }, { messages_and_choices: [] }],
    }
    expect(shown(trajectory)).toEqual(['<user>b</><assistant>[B]'])
    expect(tokenize({}).sequences).toEqual([])
  })
})
