import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trials } from '@heddle/testing'
import { loadTokenizer } from './load-tokenizer.ts'
import { type ByteTokenizerFiles, writeByteTokenizer } from './testing/write-byte-tokenizer.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'heddle-tokenizer-'))
})
afterAll(() => rm(root, { recursive: true }))

async function loadBytes(files: ByteTokenizerFiles = {}) {
  const folder = await mkdtemp(join(root, 'model-'))
  await writeByteTokenizer(folder, files)
  return await loadTokenizer(folder)
}

const nano = () => loadTokenizer(fileURLToPath(new URL('../../base-models/heddle-nano', import.meta.url)))
const hi = [{ role: 'user', content: 'hi' }]

describe('tokens', () => {
  test('any text comes back from its tokens', async () => {
    const tokenizer = await loadBytes({
      merges: [
        ['h', 'i'],
        ['Ġ', 'hi'],
      ],
    })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
      }),
      { numRuns: trials({ usual: 100, long: 5000 }) },
    )
  })

  test('the bytes of the tokens of a text are its bytes', async () => {
    const tokenizer = await loadBytes({
      merges: [
        ['h', 'i'],
        ['Ġ', 'hi'],
      ],
    })
    const text = 'hi hi ü 🦊'
    const tokens = tokenizer.encode(text)
    expect(Buffer.concat(Array.from(tokens, (token) => tokenizer.bytesOf(token))).toString()).toBe(text)
    expect(tokens[1]).toBe(tokenizer.idOf('Ġhi'))
    expect(tokenizer.longestTokenBytes).toBeGreaterThanOrEqual(3)
  })

  test('names of special tokens become the tokens, which can be skipped in text', async () => {
    const tokenizer = await loadBytes()
    const tokens = tokenizer.encode('a<|im_end|>b')
    expect([...tokens]).toEqual([tokenizer.idOf('a'), tokenizer.special.endOfTurn, tokenizer.idOf('b')])
    expect(tokenizer.decode(tokens)).toBe('a<|im_end|>b')
    expect(tokenizer.decode(tokens, { skipSpecial: true })).toBe('ab')
  })

  test('an id without a token has no bytes, and broken UTF-8 becomes U+FFFD', async () => {
    const tokenizer = await loadBytes()
    expect(tokenizer.bytesOf(10_000)).toHaveLength(0)
    expect(tokenizer.decode([0xc3, 10_000, 0x41])).toBe('\ufffdA')
  })

  test('a SentencePiece vocabulary spells spaces as U+2581 and bytes by their numbers', async () => {
    const folder = await mkdtemp(join(root, 'model-'))
    const vocab = { '<unk>': 0, '<0xC3>': 1, '<0xBC>': 2, '▁': 3, a: 4, '▁a': 5 }
    const decoder = { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }] }
    const normalizer = { type: 'Replace', pattern: { String: ' ' }, content: '▁' }
    const model = { type: 'BPE', vocab, merges: [['▁', 'a']], unk_token: '<unk>', byte_fallback: true }
    const added_tokens = [{ id: 0, content: '<unk>', special: true }]
    await writeFile(
      join(folder, 'tokenizer.json'),
      JSON.stringify({ added_tokens, normalizer, pre_tokenizer: null, post_processor: null, decoder, model }),
    )
    await writeFile(join(folder, 'tokenizer_config.json'), '{}')
    const tokenizer = await loadTokenizer(folder)
    expect([...tokenizer.encode('a aü')]).toEqual([4, 5, 1, 2])
    expect(tokenizer.decode([4, 5, 1, 2])).toBe('a aü')
  })
})

describe('special tokens', () => {
  test('the end of a turn is what the template writes after an assistant, and stops a completion', async () => {
    const tokenizer = await loadBytes({ config: { eos_token: { content: '<|endoftext|>' } } })
    const { endOfText, endOfTurn, beginOfText, padding, stop } = tokenizer.special
    expect({ endOfText, endOfTurn }).toEqual({ endOfText: tokenizer.idOf('<|endoftext|>'), endOfTurn: tokenizer.idOf('<|im_end|>') })
    expect({ beginOfText, padding }).toEqual({ beginOfText: null, padding: endOfText })
    expect(stop).toEqual([endOfText, endOfTurn])
  })

  test('generation_config.json adds tokens that stop', async () => {
    const { special, idOf } = await nano()
    expect(special.endOfTurn).toBe(idOf('<|im_end|>'))
    expect(special.stop).toEqual([idOf('<|im_end|>'), idOf('<|endoftext|>')])
  })
})

describe('chat templates', () => {
  test.each([
    ['with the opening of a turn', { addGenerationPrompt: true }, '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n'],
    ['without it', {}, '<|im_start|>user\nhi<|im_end|>\n'],
    ['open-ended', { continueFinalMessage: true }, '<|im_start|>user\nhi'],
  ])('a conversation is rendered %s', async (_name, options, text) => {
    const { render } = await loadBytes()
    expect(render({ messages: hi, ...options })).toBe(text)
  })

  test('the last message is continued exactly, also where the template trims content', async () => {
    const { render } = await loadBytes({ chatTemplate: '{% for m in messages %}[{{ m.content | trim }}]{% endfor %}' })
    expect(render({ messages: [...hi, { role: 'assistant', content: 'hi ' }], continueFinalMessage: true })).toBe('[hi][hi ')
  })

  test('content in parts and null are plain text to the template', async () => {
    const { render } = await loadBytes({ chatTemplate: '{% for m in messages %}[{{ m.content }}]{% endfor %}' })
    const parts = {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }
    expect(render({ messages: [parts, { role: 'assistant', content: null }] })).toBe('[a\nb][]')
    expect(() => render({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] })).toThrow(
      'message 0 has content of type "image_url", which is not text',
    )
  })

  test('variables reach the template, and never replace what it counts on', async () => {
    const { render } = await loadBytes({
      chatTemplate: '{{ thinking }} {{ messages | length }} {{ range(2) | length }} {{ pad_token }} {{ add_generation_prompt }}',
    })
    const variables = { thinking: 'on', messages: [], range: 1, pad_token: 'x', add_generation_prompt: true, namespace: 1 }
    expect(render({ messages: hi, variables })).toBe('on 1 2 <|endoftext|> False')
  })

  test('a template of its own for tools is used when there are tools', async () => {
    const named = [
      { name: 'default', template: 'plain' },
      { name: 'tool_use', template: '{{ tools | length }} tools' },
    ]
    const { render } = await loadBytes({ config: { chat_template: named } })
    expect(render({ messages: hi })).toBe('plain')
    expect(render({ messages: hi, tools: [] })).toBe('plain')
    expect(render({ messages: hi, tools: [{ type: 'function', function: { name: 'a' } }] })).toBe('1 tools')
  })

  test('chat_template.jinja wins over the configuration', async () => {
    const folder = await mkdtemp(join(root, 'model-'))
    await writeByteTokenizer(folder)
    await writeFile(join(folder, 'chat_template.jinja'), 'from the file')
    expect((await loadTokenizer(folder)).render({ messages: hi })).toBe('from the file')
  })

  test('the date comes from the clock that was given', async () => {
    const folder = await mkdtemp(join(root, 'model-'))
    await writeByteTokenizer(folder, { chatTemplate: "{{ strftime_now('%d %b %Y, %H:%M') }}" })
    const { render } = await loadTokenizer(folder, { now: () => new Date(2026, 1, 3, 4, 5) })
    expect(render({ messages: hi })).toBe('03 Feb 2026, 04:05')
  })

  test('a call with arguments as text is rendered as it was sampled', async () => {
    const { render } = await nano()
    const call = { id: '1', type: 'function', function: { name: 'add', arguments: '{"a": 1.0}' } }
    const text = render({ messages: [...hi, { role: 'assistant', content: null, tool_calls: [call] }] })
    expect(text).toContain('<tool_call>{"name":"add","arguments":{"a": 1.0}}</tool_call><|im_end|>')
  })
})

describe('how a template writes calls', () => {
  const chat = (calls: string) =>
    `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}${calls}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`

  test('it is found by rendering, with the texts around the JSON', async () => {
    expect((await nano()).toolCalls).toEqual({
      preamble: '',
      begin: '<tool_call>{"name":"',
      middle: '","arguments":',
      id: null,
      end: '}</tool_call>',
      separator: '',
      epilogue: '',
      form: 'object',
      open: '<tool_call>',
      close: '</tool_call>',
      takesText: true,
      idLength: null,
    })
  })

  test('a template that separates calls and takes arguments as objects gets them so', async () => {
    const calls = `{% for c in m.tool_calls or [] %}{{ '' if loop.first else '\\n' }}<call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</call>{% endfor %}`
    const { toolCalls, render } = await loadBytes({ chatTemplate: chat(calls) })
    expect(toolCalls).toEqual({
      preamble: '',
      begin: '<call>\n{"name": "',
      middle: '", "arguments": ',
      id: null,
      end: '}\n</call>',
      separator: '\n',
      epilogue: '',
      form: 'object',
      open: '<call>',
      close: '</call>',
      takesText: false,
      idLength: null,
    })
    const call = { function: { name: 'add', arguments: '{"a":1,"b":1.0,"c":12345678901234567890}' } }
    expect(render({ messages: [{ role: 'assistant', content: '', tool_calls: [call] }] })).toContain(
      '"arguments": {"a": 1, "b": 1.0, "c": 12345678901234567890}}',
    )
  })

  test.each([
    ['no calls', ''],
    ['calls in another form', '{% for c in m.tool_calls or [] %}{{ c.function.name }}({{ c.function.arguments }}){% endfor %}'],
  ])('a template with %s has none', async (_name, calls) => {
    expect((await loadBytes({ chatTemplate: chat(calls) })).toolCalls).toBeNull()
  })
})

describe('templates that are refused', () => {
  test.each([
    [
      'one that refuses the messages',
      "{{ raise_exception('roles must alternate') }}",
      'the chat template refuses these messages: roles must alternate',
    ],
    [
      'one that loops for long',
      '{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}{% endfor %}{% endfor %}{% endfor %}',
      'more than 1000000 steps',
    ],
    [
      'one that doubles a text',
      "{% set ns = namespace(t='x') %}{% for a in range(40) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
      'texts of 4194304 characters',
    ],
    [
      'one that doubles a list',
      '{% set ns = namespace(t=[1]) %}{% for a in range(40) %}{% set ns.t = ns.t + ns.t %}{% endfor %}',
      'lists of 100000 elements',
    ],
    ['one that counts far', '{{ range(1000000000000) }}', 'lists of 100000 elements'],
    ['one that counts without end', '{{ range(1, 2, 0) }}', 'range() arg 3 must not be zero'],
  ])('%s', async (_name, chatTemplate, message) => {
    const { render } = await loadBytes({ chatTemplate })
    expect(() => render({ messages: hi })).toThrow(message)
  })

  test('a model without a template takes no messages, but has tokens', async () => {
    const tokenizer = await loadBytes({ chatTemplate: null })
    expect(() => tokenizer.render({ messages: hi })).toThrow('no chat template')
    expect(tokenizer.special.endOfTurn).toBeNull()
  })
})

test('a text that begins with a byte order mark keeps it', async () => {
  const { encode, decode } = await loadBytes()
  for (const text of ['\ufeffa', '\ufeff', 'a\ufeff\ufeff']) expect(decode(encode(text))).toBe(text)
})

describe('folders that are refused', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['without a tokenizer', {}, /tokenizer\.json is missing/],
    ['with a file that is not JSON', { 'tokenizer.json': '{' }, /tokenizer\.json is not JSON/],
    ['with a list for the file', { 'tokenizer.json': '[]' }, /tokenizer\.json holds no JSON object/],
    [
      'with an unknown model',
      {
        'tokenizer.json':
          '{"model":{"type":"Nothing"},"added_tokens":[],"decoder":null,"post_processor":null,"pre_tokenizer":null,"normalizer":null}',
      },
      /"model\.type" "Nothing" in .*tokenizer\.json is not supported/,
    ],
    [
      'with a decoder that has no bytes',
      {
        'tokenizer.json':
          '{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"added_tokens":[],"decoder":{"type":"WordPiece"},"post_processor":null,"pre_tokenizer":null,"normalizer":null}',
      },
      /\(WordPiece\) is not supported/,
    ],
    ['with a template that cannot be parsed', { 'chat_template.jinja': '{% if %}' }, /chat_template\.jinja cannot be parsed/],
  ])('%s', async (_name, files, message) => {
    const folder = await mkdtemp(join(root, 'model-'))
    if ('chat_template.jinja' in files) await writeByteTokenizer(folder)
    else await writeFile(join(folder, 'tokenizer_config.json'), '{}')
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await expect(loadTokenizer(folder)).rejects.toThrow(message)
  })
})
