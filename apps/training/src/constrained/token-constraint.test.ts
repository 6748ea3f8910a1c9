import { Validator } from '@cfworker/json-schema'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Constraint, ToolSchema } from '../engine/engine.ts'
import { allows, writeText } from './testing/follow.ts'
import { schemas } from './testing/schemas.ts'
import { mixedTexts, vocabularyOf } from './testing/vocabularies.ts'
import { compileConstraint, followConstraint } from './token-constraint.ts'
import type { Vocabulary } from './vocabulary.ts'

const bytes = vocabularyOf()
const mixed = vocabularyOf(mixedTexts)
const follow = (constraint: Constraint, vocabulary: Vocabulary = bytes, stopTokens: number[] = []) =>
  followConstraint(compileConstraint(vocabulary, constraint), stopTokens)
const schemaOf = (schema: unknown): Constraint => ({ kind: 'json-schema', schema })
const allowsText = (constraint: Constraint, text: string) => allows(follow(constraint), new TextEncoder().encode(text))

function textOf(vocabulary: Vocabulary, tokens: readonly number[]): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(tokens.flatMap((token) => [...vocabulary.symbolsOf(token)])))
}

/** Random at first, then towards the end of the text. */
function chooser(numbers: readonly number[], vocabulary: Vocabulary) {
  const toBytes = (texts: string) => [...texts].map((text) => text.codePointAt(0)!)
  const [insideText, elsewhere] = [toBytes('"a'), toBytes('}]"n01:,a')]
  return (allowed: number[], canEnd: boolean, step: number) => {
    if (step < numbers.length) return canEnd && numbers[step]! % 3 === 0 ? null : allowed[numbers[step]! % allowed.length]!
    if (canEnd) return null
    const closing = allowed.includes(0x78) ? insideText : elsewhere
    return (
      closing.find((token) => allowed.includes(token)) ?? allowed.find((token) => vocabulary.symbolsOf(token).length === 1) ?? allowed[0]!
    )
  }
}

const choices = fc.array(fc.nat(), { maxLength: 60, size: 'max' })

describe.each([
  ['bytes', bytes],
  ['tokens of several bytes', mixed],
])('a vocabulary of %s', (_name, vocabulary) => {
  test('whatever is chosen among the allowed tokens is a document that the schema allows', () => {
    let complete = 0
    fc.assert(
      fc.property(schemas, choices, ({ schema }, numbers) => {
        const tokens = writeText(follow(schemaOf(schema), vocabulary), vocabulary.size, chooser(numbers, vocabulary))
        if (tokens === null) return
        complete += 1
        const document: unknown = JSON.parse(textOf(vocabulary, tokens))
        expect(new Validator(schema as object, '2020-12').validate(document)).toMatchObject({ valid: true })
      }),
      { numRuns: trials({ usual: 40, long: 2000 }) },
    )
    expect(complete).toBeGreaterThan(20)
  })

  test('whatever is chosen under json_object is an object', () => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const tokens = writeText(follow({ kind: 'json-object' }, vocabulary), vocabulary.size, chooser(numbers, vocabulary))
        const document: unknown = JSON.parse(textOf(vocabulary, tokens!))
        expect(document).toBeTypeOf('object')
        expect(Array.isArray(document)).toBe(false)
      }),
      { numRuns: trials({ usual: 20, long: 1000 }) },
    )
  })
})

describe('documents that a schema allows', () => {
  test('each can be written, without white space and indented', () => {
    const written = schemas.chain(({ schema, documents }) => fc.record({ schema: fc.constant(schema), document: documents }))
    fc.assert(
      fc.property(written, ({ schema, document }) => {
        expect(new Validator(schema as object, '2020-12').validate(document)).toMatchObject({ valid: true })
        for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
          // Constants have one form.
          if (text !== JSON.stringify(document) && /"(enum|const)":/.test(JSON.stringify(schema))) continue
          expect({ text, isAllowed: allowsText(schemaOf(schema), text) }).toEqual({ text, isAllowed: true })
        }
      }),
      { numRuns: trials({ usual: 100, long: 5000 }) },
    )
  })

  test('any object can be written under json_object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme' }),
          fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).filter((value) => !/e[+-]30[0-9]|e-3[12]/.test(JSON.stringify(value))),
        ),
        (document) => {
          expect(allowsText({ kind: 'json-object' }, JSON.stringify(document))).toBe(true)
        },
      ),
      { numRuns: trials({ usual: 100, long: 5000 }) },
    )
  })
})

describe('what a schema does not allow is not written', () => {
  const person = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 3 }, age: { type: 'integer', minimum: 0, maximum: 130 } },
    required: ['name'],
    additionalProperties: false,
  }
  test.each<[string, unknown, string, boolean]>([
    ['properties in any order', person, '{"age":3,"name":"a"}', true],
    ['a missing property', person, '{"age":3}', false],
    ['a property twice', person, '{"name":"a","name":"b"}', false],
    ['another property', person, '{"name":"a","x":1}', false],
    ['a comma at the end', person, '{"name":"a",}', false],
    ['a name that is spelled with an escape', person, '{"\\u006eame":"a"}', false],
    ['too short a string', person, '{"name":""}', false],
    ['too long a string', person, '{"name":"abcd"}', false],
    ['characters, not bytes, are counted', person, '{"name":"ü🦊漢"}', true],
    ['an escape of a pair counts as one character', person, '{"name":"\\ud83e\\udd8aab"}', true],
    ['half of a pair alone', person, '{"name":"\\ud83e"}', false],
    ['the other half alone', person, '{"name":"\\udd8a"}', false],
    ['an integer above its maximum', person, '{"name":"a","age":131}', false],
    ['an integer below its minimum', person, '{"name":"a","age":-1}', false],
    ['an integer with a leading zero', person, '{"name":"a","age":01}', false],
    ['an integer with a point', person, '{"name":"a","age":1.0}', false],
    ['white space before the document', { type: 'null' }, ' null', false],
    ['white space behind the document', { type: 'null' }, 'null ', false],
    ['control characters in strings', { type: 'string' }, '"\n"', false],
    ['overlong UTF-8', { type: 'string' }, '"\u007f"', true],
    ['a number that is infinite', { type: 'number' }, '1e309', false],
    ['a number with a leading point', { type: 'number' }, '.5', false],
    ['another property twice', { type: 'object' }, '{"a":1,"a":2}', false],
    ['another property that is known in another spelling', { type: 'object', properties: { a: { type: 'null' } } }, '{"\\u0061":1}', false],
    ['an element beyond the maximum', { type: 'array', maxItems: 1 }, '[1,2]', false],
    ['too few elements', { type: 'array', minItems: 2 }, '[1]', false],
    ['no elements where none are possible', { type: 'array', items: false }, '[]', true],
    ['an element where none is possible', { type: 'array', items: false }, '[1]', false],
    ['a property whose value is impossible', { type: 'object', properties: { a: false } }, '{"a":1}', false],
    ['the required of a name that is not among the properties', { type: 'object', required: ['x'] }, '{}', false],
    ['constants of another type', { type: 'string', enum: ['a', 1] }, '1', false],
    ['a constant that continues another', { enum: [1, 12] }, '12', true],
  ])('%s', (_name, schema, text, isAllowed) => {
    expect(allowsText(schemaOf(schema), text)).toBe(isAllowed)
  })

  test('bytes that are not UTF-8', () => {
    const open = follow(schemaOf({ type: 'string' }))
    open.accept(0x22)
    const mask = new Uint8Array(bytes.size)
    open.writeAllowed(mask)
    expect([...mask.keys()].filter((byte) => byte >= 0x80 && mask[byte] === 1)).toEqual(
      Array.from({ length: 0xf4 - 0xc2 + 1 }, (_, index) => 0xc2 + index),
    )
    open.accept(0xe0)
    expect(() => open.accept(0x80)).toThrow('token 128 is not allowed')
  })
})

describe('schemas that refer to themselves', () => {
  const list = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        required: ['value', 'next'],
        additionalProperties: false,
      },
    },
  }
  test('a list of any length', () => {
    expect(allowsText(schemaOf(list), '{"value":1,"next":{"value":2,"next":{"next":null,"value":3}}}')).toBe(true)
    expect(allowsText(schemaOf(list), '{"value":1,"next":{"value":2}}')).toBe(false)
  })

  test('alternatives that overlap without end stay bounded', () => {
    const tree = {
      $defs: {
        t: {
          anyOf: [
            { type: 'array', items: { $ref: '#/$defs/t' } },
            { type: 'array', items: { $ref: '#/$defs/t' }, maxItems: 3 },
            { type: 'null' },
          ],
        },
      },
      $ref: '#/$defs/t',
    }
    expect(allowsText(schemaOf(tree), `${'['.repeat(40)}null${']'.repeat(40)}`)).toBe(true)
  })

  test('an alternative that is the choice itself adds nothing', () => {
    const schema = { anyOf: [{ $ref: '#' }, { type: 'null' }] }
    expect(allowsText(schemaOf(schema), 'null')).toBe(true)
  })
})

describe('the end', () => {
  test('stop tokens are allowed exactly where the text may end, and end it', () => {
    const vocabulary = vocabularyOf([], ['<end>'])
    const end = 256
    const open = follow(schemaOf({ type: 'integer', minimum: 1, maximum: 12 }), vocabulary, [end])
    const mask = new Uint8Array(vocabulary.size + 8)
    expect([open.writeAllowed(mask), mask[end], open.canEnd]).toEqual([9, 0, false])
    open.accept(0x31)
    expect([open.writeAllowed(mask), mask[end], open.canEnd, open.mustEnd]).toEqual([4, 1, true, false])
    open.accept(0x32)
    expect([open.writeAllowed(mask), mask[end], open.canEnd, open.mustEnd]).toEqual([1, 1, true, false])
    open.accept(end)
    expect(open.writeAllowed(mask)).toBe(0)
  })

  test('behind a closing brace nothing may follow', () => {
    const open = follow({ kind: 'json-object' })
    open.accept(0x7b)
    open.accept(0x7d)
    expect([open.canEnd, open.mustEnd, open.writeAllowed(new Uint8Array(bytes.size))]).toEqual([true, true, 0])
  })
})

describe('calls', () => {
  const specials = ['<tool_call>', '</tool_call>']
  const vocabulary = vocabularyOf([], specials)
  const [open, close] = [256, 257]
  const around = { preamble: '', id: null, epilogue: '' }
  const format = { ...around, begin: '<tool_call>{"name":"', middle: '","arguments":', end: '}</tool_call>', separator: '' }
  const add = {
    name: 'add',
    parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
    strict: true,
  }
  const now = { name: 'now', parameters: null, strict: false }
  const callsOf = (parallel: boolean, tools: ToolSchema[] = [add, now]) =>
    follow({ kind: 'tool-call', tools, format, parallel }, vocabulary)
  const spell = (text: string) => vocabulary.spell(text).map((symbol) => (symbol < 256 ? symbol : symbol - 256))

  test.each<[string, boolean, string, boolean]>([
    ['one call', false, '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>', true],
    ['a call to a tool that takes anything', false, '<tool_call>{"name":"now","arguments":{ "x": [] }}</tool_call>', true],
    ['arguments that are not allowed', false, '<tool_call>{"name":"add","arguments":{}}</tool_call>', false],
    ['arguments that are not an object', false, '<tool_call>{"name":"now","arguments":1}</tool_call>', false],
    ['another tool', false, '<tool_call>{"name":"sub","arguments":{}}</tool_call>', false],
    ['text before a call', false, 'ok<tool_call>{"name":"now","arguments":{}}</tool_call>', false],
    [
      'two calls where one is allowed',
      false,
      '<tool_call>{"name":"now","arguments":{}}</tool_call><tool_call>{"name":"now","arguments":{}}</tool_call>',
      false,
    ],
    [
      'two calls',
      true,
      '<tool_call>{"name":"now","arguments":{}}</tool_call><tool_call>{"name":"add","arguments":{"a":2}}</tool_call>',
      true,
    ],
  ])('%s', (_name, parallel, text, isAllowed) => {
    expect(allows(callsOf(parallel), spell(text))).toBe(isAllowed)
  })

  test('special tokens are written as a whole, not by their bytes', () => {
    const mask = new Uint8Array(vocabulary.size)
    const calls = callsOf(false)
    expect([calls.writeAllowed(mask), mask[open]]).toEqual([1, 1])
    for (const token of spell('<tool_call>{"name":"now","arguments":{}}')) calls.accept(token)
    expect([calls.writeAllowed(mask), mask[close]]).toEqual([1, 1])
  })

  test('a keyword that is not enforced is an error for a strict tool and passed over for others', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '^x' } } }
    expect(() => callsOf(false, [{ name: 'f', parameters, strict: true }])).toThrow(
      'parameters of tool "f": the schema at /properties/a has "pattern"',
    )
    expect(() => callsOf(false, [{ name: 'f', parameters, strict: false }])).not.toThrow()
  })
})

test('a schema whose alternatives stay open side by side is refused once a token takes too many steps', () => {
  // A vocabulary as of real models: free text goes on with any of its tokens, in each of the alternatives.
  const words = Array.from({ length: 10_000 }, (_, index) => index.toString(36).padEnd(6, 'q'))
  const vocabulary = vocabularyOf(words)
  const alternatives = (count: number) => ({
    anyOf: Array.from({ length: count }, (_, index) => ({
      type: 'array',
      items: { type: 'string', maxLength: 1_000 + index },
      minItems: 1,
    })),
  })
  const allowedAfter = (count: number) => {
    const constraint = follow(schemaOf(alternatives(count)), vocabulary)
    for (const letter of '["a') constraint.accept(letter.charCodeAt(0))
    return constraint.writeAllowed(new Uint8Array(vocabulary.size))
  }
  expect(allowedAfter(2)).toBeGreaterThan(10_000)
  expect(() => allowedAfter(250)).toThrow('too many alternatives are open')
})
