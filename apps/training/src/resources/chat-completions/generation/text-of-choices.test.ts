import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCallSplitter } from './call-splitter.ts'
import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import { memberText } from '../../../json-text/member-text.ts'
import { parseCalls } from './parse-call.ts'
import { openedBy, ReasoningSplitter } from '../reasoning-splitter.ts'
import { StopTexts } from './stop-texts.ts'

/** A text in pieces, cut anywhere. */
const cutAt = (text: string, cuts: readonly number[]) => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
}
const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('stop texts', () => {
  const run = (stops: string[], pieces: string[], isKept = false) => {
    const texts = new StopTexts(stops, isKept)
    let out = ''
    for (const piece of pieces) {
      const { text, stop } = texts.push(piece)
      out += text
      if (stop !== null) return { out, stop }
    }
    return { out: out + texts.flush(), stop: null }
  }

  test.each<[string, string[], string[], boolean, { out: string; stop: string | null }]>([
    ['cuts the text where one begins', ['END'], ['one END two'], false, { out: 'one ', stop: 'END' }],
    ['keeps it on request', ['END'], ['one END two'], true, { out: 'one END', stop: 'END' }],
    ['over the border of two pieces', ['END'], ['one E', 'ND two'], false, { out: 'one ', stop: 'END' }],
    ['gives back what only began like one', ['END'], ['one EN', 'D'.toLowerCase(), ' E'], false, { out: 'one ENd E', stop: null }],
    ['the one that begins first', ['two', 'one'], ['one two'], false, { out: '', stop: 'one' }],
    ['that repeats itself', ['aab'], ['aa', 'ab'], false, { out: 'a', stop: 'aab' }],
  ])('%s', (_name, stops, pieces, isKept, expected) => {
    expect(run(stops, pieces, isKept)).toEqual(expected)
  })

  test('however a text is cut into pieces, it ends before its first stop text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 }),
        fc.array(letters, { minLength: 1, maxLength: 3 }),
        cuts,
        (text, stops, places) => {
          const { out, stop } = run(stops, cutAt(text, places))
          const isClean = stops.every((one) => !out.includes(one))
          expect(isClean).toBe(true)
          expect(stop === null ? out === text : text.startsWith(`${out}${stop}`)).toBe(true)
        },
      ),
    )
  })
})

describe('calls in a text', () => {
  const format: TemplateCalls = {
    form: 'object',
    preamble: '',
    begin: '<call>{"name":"',
    middle: '","arguments":',
    id: null,
    end: '}</call>',
    separator: '',
    epilogue: '',
    open: '<call>',
    close: '</call>',
    takesText: true,
    idLength: null,
  }
  const split = (pieces: readonly string[], of = format) => {
    const splitter = createCallSplitter(of)
    const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.flush()]
    return { text: parts.map(({ text }) => text).join(''), calls: parts.flatMap(({ calls }) => calls) }
  }
  const add = '<call>{"name":"add","arguments":{"a": 1.0}}</call>'
  const called = { name: 'add', arguments: '{"a": 1.0}' }

  test.each<[string, string, { text: string; calls: object[] }]>([
    ['one, its arguments as they were written', add, { text: '', calls: [called] }],
    ['two, without the white space between', `${add}\n ${add}\n`, { text: '', calls: [called, called] }],
    ['one behind text', `Sure. ${add}`, { text: 'Sure.', calls: [called] }],
    ['one that was not closed', add.replace('</call>', ''), { text: '', calls: [called] }],
    ['one that is not JSON stays text', '<call>{"name":</call>', { text: '<call>{"name":</call>', calls: [] }],
    ['one without arguments stays text', '<call>{"name":"add"}</call>', { text: '<call>{"name":"add"}</call>', calls: [] }],
    ['one that was cut off stays text', 'x <call>{"name":"a', { text: 'x <call>{"name":"a', calls: [] }],
    ['a text that only begins like one', 'a < b <cal', { text: 'a < b <cal', calls: [] }],
    ['white space alone', ' \n', { text: ' \n', calls: [] }],
  ])('%s', (_name, text, expected) => {
    expect(split([text])).toEqual(expected)
    expect(split([...text])).toEqual(expected)
  })

  test('JSON that stands alone is a call, and anything else text', () => {
    const bare = { ...format, open: '', close: '', middle: '", "parameters": ' }
    expect(split(['{"name": "f", "par', 'ameters": {}}'], bare)).toEqual({ text: '', calls: [{ name: 'f', arguments: '{}' }] })
    expect(split(['Hello', ' there'], bare)).toEqual({ text: 'Hello there', calls: [] })
  })

  test('however a text is cut into pieces, the same comes out', () => {
    const parts = fc.array(fc.constantFrom(add, 'text', ' ', '\n', '<call>', '</call>', '<', '{"a":1}'), { maxLength: 8 })
    fc.assert(
      fc.property(parts, cuts, (of, places) => {
        const text = of.join('')
        expect(split(cutAt(text, places))).toEqual(split([text]))
      }),
    )
  })
})

describe('the text of a member', () => {
  test('is exactly what is in the JSON, for any value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, value) => {
        const { arguments: _, ...rest } = others
        for (const spaces of [0, 2]) {
          const json = JSON.stringify({ ...rest, arguments: value }, null, spaces)
          expect(JSON.parse(memberText(json, 'arguments')!)).toEqual(JSON.parse(JSON.stringify(value)))
        }
      }),
    )
  })

  test('keeps numbers and escapes as they were written, and takes the last of equal names', () => {
    const call = { name: 'f', arguments: '{"a":1.0,"b":"\\u0041"}' }
    const text = '{"arguments":{},"name":"f","arguments":{"a":1.0,"b":"\\u0041"}}'
    expect(parseCalls(text, 'arguments')).toEqual([call])
    expect(parseCalls(`[${text} , ${text.replace('{', '{"id":"abcdefgh1",')}]`, 'arguments')).toEqual([call, { ...call, id: 'abcdefgh1' }])
    for (const other of ['[]', `[${text},1]`, '1', 'x', '[[]]']) expect(parseCalls(other, 'arguments')).toEqual([])
  })
})

describe('reasoning before a text', () => {
  const split = (pieces: readonly string[], opened: string | null = null) => {
    const splitter = new ReasoningSplitter(opened)
    const parts = [...pieces.map((piece) => splitter.push(piece)), splitter.flush()]
    return { reasoning: parts.map(({ reasoning }) => reasoning).join(''), text: parts.map(({ text }) => text).join('') }
  }

  test.each([
    ['is what the tags hold', '<think>\nhm</think>\n\nFour', null, { reasoning: 'hm', text: 'Four' }],
    ['begins in the prompt', 'hm</think>Four', 'think', { reasoning: 'hm', text: 'Four' }],
    ['has other names', ' <reasoning>hm</reasoning>Four', null, { reasoning: 'hm', text: 'Four' }],
    ['that was cut off is no answer', '<think>hm</thi', null, { reasoning: 'hm</thi', text: '' }],
    ['may be empty', '<think>\n\n</think>\n\nFour', null, { reasoning: '', text: 'Four' }],
    ['further on is text', 'Four <think>hm</think>', null, { reasoning: '', text: 'Four <think>hm</think>' }],
    ['that only begins like it is text', '<thin ice', null, { reasoning: '', text: '<thin ice' }],
    ['is closed by the tag that opened it', '<think>a</reasoning>b</think>c', null, { reasoning: 'a</reasoning>b', text: 'c' }],
    ['in white space alone is none', ' \n', null, { reasoning: '', text: ' \n' }],
  ])('%s', (_name, text, opened, expected) => {
    expect(split([text], opened)).toEqual(expected)
    expect(split([...text], opened)).toEqual(expected)
  })

  test('however a text is cut into pieces, it is split in the same way', () => {
    const part = fc.constantFrom('<think>', '</think>', '<reasoning>', '\n', 'a', '<', 'think', '>')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), cuts, fc.constantFrom(null, 'think'), (parts, places, opened) => {
        expect(split(cutAt(parts.join(''), places), opened)).toEqual(split([parts.join('')], opened))
      }),
    )
  })

  test('is opened by a tag at the very end of a prompt', () => {
    expect(['a<think>\n', 'a<think>b', '<thinking>', ''].map(openedBy)).toEqual(['think', null, 'thinking', null])
  })
})
