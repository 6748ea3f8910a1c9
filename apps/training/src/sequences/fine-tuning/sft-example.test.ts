import { fileURLToPath } from 'node:url'
import { stringifyJson } from '@heddle/json'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTokenizer } from '../../tokenizer/load-tokenizer.ts'
import { parseSftLine } from './parse-sft-line.ts'
import type { SequenceTokenizer } from '../sequence-tokenizer.ts'
import { type AssistantTurns, labelConversation, type LabelledSequence, type LabelOptions, type SftConversation } from './sft-example.ts'
import { createTestTokenizer, renderPlain } from '../testing/test-tokenizer.ts'
import { aMessage } from '../testing/token-choices.ts'
import type { ChatMessage } from '../trajectory.ts'

interface ShowOptions {
  tokenizer?: SequenceTokenizer
  turns?: AssistantTurns
  tools?: unknown[] | null
}

/** The labels of a conversation that is short enough. */
const label = (conversation: SftConversation, options: LabelOptions) => labelConversation(conversation, options) as LabelledSequence

/** What is learned, each run of it in brackets. */
function shown(messages: ChatMessage[], { tokenizer = createTestTokenizer(), turns = 'all', tools = null }: ShowOptions = {}): string {
  const { tokens, labels } = label({ messages, tools }, { tokenizer, turns, maxTokens: 10_000, place: 'line 1' })
  let text = ''
  for (let at = 0; at < tokens.length; at++) {
    if (labels[at] === 1 && labels[at - 1] !== 1) text += '['
    text += tokenizer.decode([tokens[at]!])
    if (labels[at] === 1 && labels[at + 1] !== 1) text += ']'
  }
  return text
}

const conversation = [aMessage('user', 'a'), aMessage('assistant', 'A'), aMessage('user', 'b'), aMessage('assistant', 'B')]

describe('what is learned of a conversation', () => {
  test('is what the assistant says, with the end of its turns', () => {
    expect(shown(conversation)).toBe('<user>a</><assistant>[A</>]<user>b</><assistant>[B</>]')
  })

  test('is the final turn alone when that is requested', () => {
    expect(shown(conversation, { turns: 'last' })).toBe('<user>a</><assistant>A</><user>b</><assistant>[B</>]')
  })

  test('includes tool calls', () => {
    const calling = { role: 'assistant', content: '', tool_calls: [{ name: 'f' }] }
    expect(shown([aMessage('user', 'a'), calling, aMessage('tool', '3'), aMessage('assistant', 'B')], { tools: [{}] })).toBe(
      '[1 tools]<user>a</><assistant>[[{"name":"f","arguments":"{}"}]</>]<tool>3</><assistant>[B</>]',
    )
  })

  test('is found where the template trims content', () => {
    const tokenizer = createTestTokenizer({
      render: ({ messages, ...rest }) =>
        renderPlain({ ...rest, messages: messages.map((each) => ({ ...each, content: (each.content as string).trim() })) }),
    })
    expect(shown([aMessage('user', 'a'), aMessage('assistant', ' A\n')], { tokenizer })).toBe('<user>a</><assistant>[A</>]')
  })

  test('is found where the template writes more around content than around none', () => {
    const tokenizer = createTestTokenizer({
      render: ({ messages, ...rest }) =>
        renderPlain({
          ...rest,
          messages: messages.map((each) => ({ ...each, content: each.content === '' ? '' : `\n${each.content as string}` })),
        }),
    })
    const calling = { role: 'assistant', content: '', tool_calls: [{ name: 'f' }] }
    expect(shown([aMessage('user', 'a'), calling], { tokenizer })).toBe('<user>\na</><assistant>[[{"name":"f","arguments":"{}"}]</>]')
  })

  test('leaves out a turn that the template rewrites', () => {
    const withoutReasoning: SequenceTokenizer['render'] = (given) => {
      const messages = given.messages.map((each, at) => {
        const content = each.content as string
        return at === given.messages.length - 1 ? each : { ...each, content: content.split('</think>').at(-1)! }
      })
      return renderPlain({ ...given, messages })
    }
    const tokenizer = createTestTokenizer({ render: withoutReasoning })
    const reasoning = [
      aMessage('user', 'a'),
      aMessage('assistant', 'hm</think>A'),
      aMessage('user', 'b'),
      aMessage('assistant', 'hm</think>B'),
    ]
    expect(shown(reasoning, { tokenizer })).toBe('<user>a</><assistant>A</><user>b</><assistant>[hm</think>B</>]')
    const labelled = label({ messages: reasoning, tools: null }, { tokenizer, turns: 'all', maxTokens: 1000, place: 'line 1' })
    expect(labelled.lostTurns).toBe(1)
  })

  test('includes the reasoning where the template writes it, and says where it does not', () => {
    const writesLast: SequenceTokenizer['render'] = (given) =>
      renderPlain({
        ...given,
        messages: given.messages.map((each, at) => {
          const reasoning = at === given.messages.length - 1 ? each['reasoning_content'] : undefined
          return typeof reasoning === 'string' ? { ...each, content: `${reasoning}</think>${each.content as string}` } : each
        }),
      })
    const tokenizer = createTestTokenizer({ render: writesLast })
    const thinks = (content: string) => ({ ...aMessage('assistant', content), reasoning_content: `hm ${content}` })
    const isLost = (messages: ChatMessage[], turns: AssistantTurns) =>
      label({ messages, tools: null }, { tokenizer, turns, maxTokens: 1_000, place: 'line 1' }).isReasoningLost
    const [a, b] = [aMessage('user', 'a'), aMessage('user', 'b')]
    expect(shown([a, thinks('A')], { tokenizer })).toBe('<user>a</><assistant>[hm A</think>A</>]')
    expect(shown([a, thinks('A'), b, thinks('B')], { tokenizer })).toBe(
      '<user>a</><assistant>[A</>]<user>b</><assistant>[hm B</think>B</>]',
    )
    expect([isLost([a, thinks('A')], 'all'), isLost([a, thinks('A'), b, thinks('B')], 'last')]).toEqual([false, false])
    expect([isLost([a, thinks('A'), b, thinks('B')], 'all'), isLost([a, thinks('A'), b, aMessage('assistant', 'B')], 'all')]).toEqual([
      true,
      true,
    ])
  })

  test('is a number of tokens of a conversation that is too long', () => {
    const options = { tokenizer: createTestTokenizer(), turns: 'all', place: 'line 1' } as const
    const labelUpTo = (maxTokens: number) => labelConversation({ messages: conversation, tools: null }, { ...options, maxTokens })
    const whole = labelUpTo(1000) as LabelledSequence
    expect(labelUpTo(whole.tokens.length)).toEqual(whole)
    expect(labelUpTo(whole.tokens.length - 1)).toEqual({ overlongTokens: whole.tokens.length })
  })

  test('cannot be an image', () => {
    const image = { role: 'user', content: [{ type: 'image_url' }] }
    expect(() => shown([image, aMessage('assistant', 'A')])).toThrow('line 1, message 0 has content of type "image_url", which is not text')
  })
})

describe('with the template of a base model', () => {
  let tokenizer: SequenceTokenizer
  beforeAll(async () => {
    tokenizer = await loadTokenizer(fileURLToPath(new URL('../../../base-models/heddle-nano', import.meta.url)))
  })

  test('the turns of the assistant are learned, the calls of tools included', () => {
    const call = { id: '1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
    const messages = [
      aMessage('system', 'Be brief.'),
      aMessage('user', '1+1?'),
      { role: 'assistant', content: '', tool_calls: [call] },
      aMessage('tool', '2'),
      aMessage('assistant', 'Two.'),
    ]
    expect(shown(messages, { tokenizer })).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n' +
        '[<tool_call>{"name":"add","arguments":{"a":1}}</tool_call><|im_end|>]\n<|im_start|>tool\n2<|im_end|>\n' +
        '<|im_start|>assistant\n[Two.<|im_end|>]\n',
    )
  })
})

describe('a line of training data', () => {
  test('has messages and perhaps tools; other keys are ignored', () => {
    const line = JSON.stringify({ messages: conversation, tools: [{ name: 'f' }], loss_mask: [1] })
    expect(parseSftLine(line, 1)).toEqual({
      messages: conversation,
      tools: [{ type: 'function', function: { name: 'f' } }],
      isMaskIgnored: true,
    })
    expect(parseSftLine(JSON.stringify({ messages: conversation, tools: null }), 1)).toEqual({
      messages: conversation,
      tools: null,
      isMaskIgnored: false,
    })
  })

  const [user, said] = [aMessage('user', 'a'), aMessage('assistant', 'A')]

  test.each<[string, object]>([
    ['a weight of 0', { messages: [user, { ...said, weight: 0 }, user, { ...said, weight: 1 }] }],
    ['train that is false', { messages: [{ ...user, train: false }, { ...said, train: false }, user, { ...said, train: true }] }],
    ['a loss_mask of the message', { messages: [user, { ...said, loss_mask: 0 }, user, said] }],
    ['a loss_mask of the line', { messages: [user, said, user, said], loss_mask: [0, 0, 0, 1] }],
    [
      'a weight beside the loss_mask of the line',
      { messages: [user, { ...said, weight: 0 }, user, { ...said, weight: 1 }], loss_mask: [1, 1, 1, 0] },
    ],
  ])('learns no turn with %s', (_, line) => {
    const conversation = parseSftLine(JSON.stringify(line), 1)!
    expect(conversation.unlearned).toEqual(new Set([1]))
    const options = { tokenizer: createTestTokenizer(), turns: 'all', maxTokens: 1_000, place: 'line 1' } as const
    const { labels } = label(conversation, options)
    expect(labels.filter((label) => label === 1)).toHaveLength('A</>'.length - 2)
    expect(Array.from(labels.slice(-2))).toEqual([1, 1])
  })

  test('says whether it has a loss_mask of something else than its messages', () => {
    expect(parseSftLine(JSON.stringify({ messages: [user, said], loss_mask: [0, 1, 1] }), 1)).toMatchObject({ isMaskIgnored: true })
  })

  test('may have the older list of functions', () => {
    const line = JSON.stringify({ messages: [user, said], functions: [{ name: 'f' }] })
    expect(parseSftLine(line, 1)?.tools).toEqual([{ type: 'function', function: { name: 'f' } }])
  })

  test('keeps numbers of tools and of arguments as they are written', async () => {
    const parameters = '{"type":"object","properties":{"id":{"enum":[9007199254740993,1.0]}}}'
    const tools = `[{"type":"function","function":{"name":"f","parameters":${parameters}}}]`
    const messages =
      '[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"id":9007199254740993,"rate":1.0}}}]}]'
    const line = parseSftLine(`{"messages":${messages},"tools":${tools}}`, 1)!
    expect([line.messages, line.tools].map(stringifyJson)).toEqual([messages, tools])
    const tokenizer = await loadTokenizer(fileURLToPath(new URL('../../../base-models/heddle-nano', import.meta.url)))
    const labelled = label(line, { tokenizer, turns: 'all', maxTokens: 4_000, place: 'line 1' })
    expect(labelled.learnedTexts.join()).toContain('{"id": 9007199254740993, "rate": 1.0}')
  })

  test('accepts the weights 1 and 0 in every notation', () => {
    const texts =
      '{"role":"user","content":"a"},{"role":"assistant","content":"A","weight":0.0},{"role":"assistant","content":"B","weight":1e0}'
    expect(parseSftLine(`{"weight":1.0,"messages":[${texts}]}`, 1)?.unlearned).toEqual(new Set([1]))
    expect(parseSftLine(`{"messages":[${texts}],"loss_mask":[0.0,0,1.0]}`, 1)).toMatchObject({ isMaskIgnored: false })
  })

  test('may be blank', () => {
    expect(parseSftLine(' \r', 1)).toBeNull()
  })

  test.each([
    ['{"messages":', 'line 7 of the training data is not a JSON object'],
    ['[]', 'line 7 of the training data is a JSON list; write each of its objects in a line of its own'],
    ['{"messages":[]}', 'has no `messages`'],
    ['{"prompt":"a","completion":"b"}', 'line 7 of the training data has no `messages`, a list of objects with `role` and `content`'],
    ['{"messages":[{"content":"a"}]}', 'has no `role` in its message 0'],
    ['{"messages":[{"role":"user","content":5}]}', 'has no `role` in its message 0, or content'],
    ['{"messages":[{"role":"user","content":"a"}]}', 'ends with a message of role "user"'],
    ['{"messages":[{"role":"assistant","content":"a"}],"tools":{}}', 'has `tools` that are not a list'],
    ['{"messages":[{"role":"assistant","content":"a"}],"functions":{}}', 'has `functions` that are not a list'],
    ['{"messages":[{"role":"assistant","content":"a"}],"tools":[],"functions":[]}', 'has both `tools` and `functions`'],
    ['{"messages":[{"role":"assistant","content":"a"}],"weight":0.5}', 'has a `weight` of 0.5; lines count alike'],
    [
      '{"messages":[{"role":"assistant","content":"a"}],"weight":9007199254740993}',
      'has a `weight` of 9007199254740993; lines count alike',
    ],
    ['{"messages":[1.0]}', 'has no `role` in its message 0'],
    ['{"messages":[{"role":"assistant","content":1.0}]}', 'has no `role` in its message 0, or content'],
    ['{"messages":[{"role":"assistant","content":"a","weight":0.5}]}', 'line 7 of the training data has `weight` 0.5 in its message 0'],
    [
      '{"messages":[{"role":"assistant","content":"a","weight":0,"train":true}]}',
      'has `weight` and `train` in its message 0, which contradict',
    ],
    ['{"messages":[{"role":"user","train":true},{"role":"assistant"}]}', 'has `train` on its message 0 of role "user"'],
  ])('%s is refused', (line, message) => {
    expect(() => parseSftLine(line, 7)).toThrow(message)
  })
})
