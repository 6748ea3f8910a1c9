import fc from 'fast-check'
import '@heddle/testing'
import { expect, inject, test } from 'vitest'
import type { ModelTokenizer } from './model-tokenizer.ts'
import { toModelfile } from './modelfile.ts'
import { readModelfile } from './testing/read-modelfile.ts'

/** A tokenizer whose template begins conversations with these instructions, and whose answers end with these texts. */
const aTokenizer = (system: string, stops: readonly string[]): ModelTokenizer => ({
  json: { model: {} },
  config: {},
  special: { stop: stops.map((_, id) => id) } as unknown as ModelTokenizer['special'],
  textOf: (id) => stops[id]!,
  render: ({ messages }) => {
    const all = messages[0]?.role === 'system' ? messages : [{ role: 'system', content: system }, ...messages]
    return `${all.map(({ role, content }) => `<|im_start|>${role}\n${String(content)}<|im_end|>\n`).join('')}<|im_start|>assistant\n`
  },
  template: null,
})

const text = fc
  .array(
    fc.constantFrom(
      '"',
      '"""',
      '"""\n',
      '\n',
      '\r',
      ' ',
      '\t',
      'a',
      'é',
      '😀',
      '#',
      '\\',
      '{{',
      '}}',
      'FROM x',
      'SYSTEM ',
      '\u00a0',
      '\u200b',
      '\u0000',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))

const holds = (system: string) => !/"""[ \t]*[\r\n]/.test(system) && !/[\u00a0\u200b\u0000]/.test(system)

test('whatever the instructions and the ends of answers are, Ollama reads them as they are or not at all', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (system, stops) => {
      const read = readModelfile(toModelfile('model.gguf', aTokenizer(system, stops)))
      const textsOf = (name: string) => read.filter((each) => each.name === name).map((each) => each.text)
      expect(textsOf('from')).toEqual(['./model.gguf'])
      expect(textsOf('template')).toEqual([expect.stringMatching(/^\{\{- range \.Messages \}\}/)])
      expect(textsOf('system')).toEqual(system !== '' && holds(system) ? [system] : [])
      expect(textsOf('stop')).toEqual(stops.filter(holds))
      expect(read).toHaveLength(2 + textsOf('system').length + textsOf('stop').length)
    }),
    { numRuns: inject('long') ? 20_000 : 1_000 },
  )
})

test('a text that cannot be written is named in a comment on one line', () => {
  const file = toModelfile('model.gguf', aTokenizer('say """\nFROM é', ['<|"|>']))
  expect(file).toContain('PARAMETER stop "<|"|>"\n')
  expect(file).toContain(String.raw`# SYSTEM is left out, since quotes of this file cannot hold its text: "say \"\"\"\nFROM \u00e9"`)
})
