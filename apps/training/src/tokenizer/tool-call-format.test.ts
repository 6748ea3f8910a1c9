import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileConstraint, followConstraint } from '../constrained/token-constraint.ts'
import { createVocabulary } from '../constrained/vocabulary.ts'
import { createCallSplitter } from '../resources/chat-completions/generation/call-splitter.ts'
import { loadTokenizer } from './load-tokenizer.ts'
import { writeByteTokenizer } from './testing/write-byte-tokenizer.ts'

/** Small templates that write calls as those of public families do. */
const chatml = (calls: string, before = '') =>
  `{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' }}${before}{{- m.content }}${calls}{{- '<|im_end|>\\n' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}`
const toolCallTags = `{%- for c in m.tool_calls or [] %}{{- ('\\n' if m.content or not loop.first else '') + '<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}{{- c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}{{- '}\\n</tool_call>' }}{%- endfor %}`

const families = {
  'tags around each call': chatml(toolCallTags),
  'reasoning before the first call': chatml(
    toolCallTags,
    `{%- if m.role == 'assistant' and loop.last %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}`,
  ),
  'one call alone, as JSON': `{%- for m in messages %}{%- if m.tool_calls %}
{%- if m.tool_calls | length != 1 %}{{- raise_exception('This model only supports single tool-calls at once!') }}{%- endif %}
{{- '<|im_start|>' + m.role + '\\n\\n' }}{{- '{"name": "' + m.tool_calls[0].function.name + '", "parameters": ' }}{{- m.tool_calls[0].function.arguments | tojson }}{{- '}<|im_end|>' }}
{%- else %}{{- '<|im_start|>' + m.role + '\\n\\n' + m.content | trim + '<|im_end|>' }}{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n\\n' }}{%- endif %}`,
  'a list of calls with ids of nine characters': `{%- for m in messages %}{%- if m.role == 'user' %}{{- '[INST] ' + m.content + '[/INST]' }}
{%- elif m.tool_calls %}{{- '[TOOL_CALLS] [' }}{%- for c in m.tool_calls %}{%- set out = c.function | tojson %}{{- out[:-1] }}
{%- if not c.id is defined or c.id | length != 9 %}{{- raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{%- endif %}
{{- ', "id": "' + c.id + '"}' }}{%- if not loop.last %}{{- ', ' }}{%- else %}{{- ']<|endoftext|>' }}{%- endif %}{%- endfor %}
{%- else %}{{- ' ' + m.content + '<|endoftext|>' }}{%- endif %}{%- endfor %}`,
  'no calls': chatml(''),
} as const

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'heddle-families-'))))
afterAll(() => rm(root, { recursive: true }))

async function load(family: keyof typeof families) {
  const folder = await mkdtemp(join(root, 'model-'))
  await writeByteTokenizer(folder, { chatTemplate: families[family] })
  return loadTokenizer(folder)
}

const begin = '<tool_call>\n{"name": "'
const tags = {
  begin,
  middle: '", "arguments": ',
  id: null,
  end: '}\n</tool_call>',
  separator: '\n',
  epilogue: '',
  form: 'object',
  open: '<tool_call>',
  close: '</tool_call>',
}

test.each<[keyof typeof families, object | null]>([
  ['tags around each call', { ...tags, preamble: '', takesText: true, idLength: null }],
  ['reasoning before the first call', { ...tags, preamble: '<think>\n\n</think>\n\n', takesText: true, idLength: null }],
  [
    'one call alone, as JSON',
    {
      preamble: '',
      begin: '{"name": "',
      middle: '", "parameters": ',
      id: null,
      end: '}',
      separator: null,
      epilogue: '',
      form: 'object',
      open: '',
      close: '',
      takesText: false,
      idLength: null,
    },
  ],
  [
    'a list of calls with ids of nine characters',
    {
      preamble: '[TOOL_CALLS] [',
      begin: '{"name": "',
      middle: '", "arguments": ',
      id: { before: ', "id": "', length: 9, behind: 'arguments' },
      end: '"}',
      separator: ', ',
      epilogue: ']',
      form: 'object',
      open: '[TOOL_CALLS]',
      close: '',
      takesText: false,
      idLength: 9,
    },
  ],
  ['no calls', null],
])('the form of a template with %s is found', async (family, expected) => {
  expect((await load(family)).toolCalls).toEqual(expected)
})

describe.each([
  'tags around each call',
  'reasoning before the first call',
  'one call alone, as JSON',
  'a list of calls with ids of nine characters',
] as const)('a template with %s', (family) => {
  const calls = [
    { name: 'add', arguments: '{"a": 1}', id: 'abcdefgh1' },
    { name: 'sub', arguments: '{"b": "x"}', id: 'abcdefgh2' },
  ]

  test.each([1, 2])('what it writes of %d calls is what a required call may write, and is read as these calls', async (count) => {
    const tokenizer = await load(family)
    const format = tokenizer.toolCalls!
    if (count > 1 && format.separator === null) return
    const sent = calls
      .slice(0, count)
      .map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }))
    const user = { role: 'user', content: 'hi' }
    const before = tokenizer.render({ messages: [user], addGenerationPrompt: true })
    const whole = tokenizer.render({ messages: [user, { role: 'assistant', content: '', tool_calls: sent }] })
    const written = whole.slice(before.length).replace(/<\|[a-z_]+\|>\s*$/, '')

    const tools = calls.map(({ name }) => ({ name, parameters: null, strict: false }))
    const stop = tokenizer.special.stop[0]!
    const constraint = followConstraint(
      compileConstraint(createVocabulary(tokenizer), { kind: 'tool-call', tools, format, parallel: format.separator !== null }),
      [stop],
    )
    for (const token of tokenizer.encode(written)) constraint.accept(token)
    expect(constraint.canEnd).toBe(true)

    const splitter = createCallSplitter(format)
    const read = [splitter.push(written.slice(format.preamble.startsWith('<think>') ? format.preamble.length : 0)), splitter.flush()]
    expect(read.map(({ text }) => text).join('')).toBe('')
    expect(read.flatMap((part) => part.calls)).toEqual(
      calls.slice(0, count).map(({ id, ...call }) => ({ ...call, ...(format.id !== null && { id }) })),
    )
  })
})
