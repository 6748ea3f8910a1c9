import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileConstraint, followConstraint } from '../constrained/token-constraint.ts'
import { createVocabulary } from '../constrained/vocabulary.ts'
import { createCallSplitter } from '../resources/chat-completions/generation/call-splitter.ts'
import { loadTokenizer } from './load-tokenizer.ts'
import { publicTemplates, readRecordedPrompts, writePublicTemplate } from './testing/public-templates.ts'

const { cases, prompts } = readRecordedPrompts()

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'heddle-public-'))))
afterAll(() => rm(root, { recursive: true }))

async function load(name: string) {
  const folder = await mkdtemp(join(root, 'model-'))
  await writePublicTemplate(folder, name)
  return loadTokenizer(folder, { now: () => new Date(2026, 0, 2, 3, 4, 5) })
}

type Tokenizer = Awaited<ReturnType<typeof load>>

/** Null where the template refuses it. */
function renderCase({ render }: Tokenizer, { messages, tools, add_generation_prompt, variables }: (typeof cases)[number]): string | null {
  try {
    return render({ messages, tools, addGenerationPrompt: add_generation_prompt, variables })
  } catch {
    return null
  }
}

test.each(publicTemplates)('conversations with %s are the prompts that Transformers makes', async (name) => {
  const tokenizer = await load(name)
  expect(cases.map((each) => renderCase(tokenizer, each))).toEqual(prompts[name])
})

const inTags = { form: 'object', open: '<tool_call>', close: '</tool_call>', separator: '\n', idLength: null }
const deepSeek = { form: 'apart', close: expect.stringMatching(/<｜tool▁call▁end｜>$/), epilogue: '<｜tool▁calls▁end｜>' }

test.each<[string, object | null]>([
  ['qwen2.5', { ...inTags, preamble: '' }],
  ['qwen3', { ...inTags, preamble: '<think>\n\n</think>\n\n' }],
  ['qwen3-with-generation', { ...inTags, preamble: '<think>\n\n</think>\n\n' }],
  ['qwq', { ...inTags, preamble: '' }],
  ['granite-4.0', { ...inTags, preamble: '' }],
  ['mistral-7b-v0.3', { form: 'object', open: '[TOOL_CALLS]', separator: ', ', epilogue: ']', idLength: 9 }],
  ['mistral-nemo', { form: 'object', open: '[TOOL_CALLS]', separator: ', ', epilogue: ']', idLength: 9 }],
  ['mistral-small-3.2', { form: 'apart', open: '[TOOL_CALLS]', middle: '[ARGS]', id: { before: '[CALL_ID]', length: 9, behind: 'name' } }],
  ['deepseek-r1', { ...deepSeek, preamble: '</think>\n\n<｜tool▁calls▁begin｜>', separator: '\n' }],
  ['deepseek-r1-distill-qwen', { ...deepSeek, preamble: '<｜tool▁calls▁begin｜>', separator: '\n' }],
  ['deepseek-v3.1', { ...deepSeek, preamble: '<｜tool▁calls▁begin｜>', separator: '' }],
  ['gpt-oss', { form: 'apart', open: 'to=functions.', close: '', separator: null }],
  ['smollm3', null],
  ['phi-3.5', null],
  ['phi-4', null],
])('how %s writes calls is found', async (name, expected) => {
  const { toolCalls, whyNoCalls } = await load(name)
  if (expected === null) expect([toolCalls, whyNoCalls]).toEqual([null, 'writes no calls'])
  else expect(toolCalls).toMatchObject(expected)
})

test.each(['qwen3-coder', 'glm-4.6'])('%s writes arguments in tags, which is told', async (name) => {
  expect((await load(name)).whyNoCalls).toBe('writes calls in another form than a name with arguments in JSON')
})

const withCalls = publicTemplates.filter((name) => !['smollm3', 'phi-3.5', 'phi-4', 'qwen3-coder', 'glm-4.6'].includes(name))
const calls = [
  { id: 'abcdefgh1', name: 'add', arguments: '{"a": 1.0, "text": "{\\"}\\\\"}' },
  { id: 'abcdefgh2', name: 'sub', arguments: '{"b": ["x", {"c": null}]}' },
]
const user = { role: 'user', content: 'hi' }
const tools = calls.map(({ name }) => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object', properties: {} } },
}))

describe.each(withCalls)('calls of %s', (name) => {
  /** What a model writes, by the template. */
  async function written(count: number) {
    const tokenizer = await load(name)
    const format = tokenizer.toolCalls!
    const sent = calls
      .slice(0, count)
      .map(({ id, name: called, arguments: text }) => ({ id, type: 'function', function: { name: called, arguments: text } }))
    const assistant = { role: 'assistant', content: '', tool_calls: sent }
    const prompt = tokenizer.render({ messages: [user], tools, addGenerationPrompt: true }).replace(/<think>\s*(?:<\/think>\s*)?$/, '')
    const whole = tokenizer.render({ messages: [user, assistant], tools })
    expect(whole.startsWith(prompt)).toBe(true)
    const text = whole.slice(prompt.length)
    const end =
      text.lastIndexOf('}') +
      1 +
      /^[^]*?(?=(?:<\|im_end\|>|<\|call\|>|<\/s>|<｜end▁of▁sentence｜>|<\|end_of_text\|>|$))/.exec(
        text.slice(text.lastIndexOf('}') + 1),
      )![0].length
    return { tokenizer, format, text: text.slice(0, end).replace(/^<think>\s*<\/think>\s*/, '') }
  }

  test.each([1, 2])('%d in one answer: a required call may be written so, and is read back', async (count) => {
    const { tokenizer, format, text } = await written(count)
    if (count > 1 && format.separator === null) return
    const preamble = format.preamble.replace(/^[^]*<\/think>\s*/, '')
    const constraint = followConstraint(
      compileConstraint(createVocabulary(tokenizer), {
        kind: 'tool-call',
        tools: calls.map((call) => ({ name: call.name, parameters: null, strict: false })),
        format: { ...format, preamble },
        parallel: count > 1,
      }),
      [tokenizer.special.stop[0]!],
    )
    for (const token of tokenizer.encode(text)) constraint.accept(token)
    expect(constraint.canEnd).toBe(true)

    const read = calls.slice(0, count).map(({ id, ...call }) => ({ ...call, ...(format.idLength !== null && { id }) }))
    for (const size of [1, 3, 1_000]) {
      const splitter = createCallSplitter(format)
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu'))!
      const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.flush()]
      expect(parts.flatMap((part) => part.calls)).toEqual(read)
      expect(parts.map((part) => part.text).join('')).toBe('')
    }
  })
})
