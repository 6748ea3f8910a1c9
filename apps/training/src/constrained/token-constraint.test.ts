import { Validator } from '@cfworker/json-schema'
import { parseJson } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Constraint, ToolSchema } from './constraint.ts'
import { toSchemaJson } from '../resources/chat-completions/request/schema-json.ts'
import { allows, chooser, writeText } from './testing/follow.ts'
import { schemas } from './testing/schemas.ts'
import { mixedTexts, textOf, vocabularyOf } from './testing/vocabularies.ts'
import { compileConstraint, followConstraint } from './token-constraint.ts'
import type { Vocabulary } from './vocabulary.ts'

const bytes = vocabularyOf()
const mixed = vocabularyOf(mixedTexts)
const follow = (constraint: Constraint, vocabulary: Vocabulary = bytes, stopTokens: number[] = []) =>
  followConstraint(compileConstraint(vocabulary, constraint), stopTokens)
const schemaOf = (schema: unknown): Constraint => ({ kind: 'json-schema', schema })
const allowsText = (constraint: Constraint, text: string) => allows(follow(constraint), new TextEncoder().encode(text))

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
    ['properties in the order of the schema', person, '{"name":"a","age":3}', true],
    ['properties in another order', person, '{"age":3,"name":"a"}', false],
    ['an optional property before a required one', { ...person, required: ['age'] }, '{"name":"a","age":3}', true],
    ['a required property behind one that it comes before', { ...person, required: ['age'] }, '{"age":3,"name":"a"}', false],
    ['other properties behind the known ones', { ...person, additionalProperties: true }, '{"name":"a","x":1}', true],
    ['other properties before a known one', { ...person, additionalProperties: true }, '{"x":1,"name":"a"}', false],
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
    ['a number at its minimum', { type: 'number', minimum: 0.1 }, '0.1', true],
    ['a number below its minimum', { type: 'number', minimum: 0.1 }, '0.09', false],
    ['a number at its exclusive minimum', { type: 'number', exclusiveMinimum: 0 }, '0.0', false],
    ['a small number above its exclusive minimum', { type: 'number', exclusiveMinimum: 0 }, '0.001', true],
    ['a negative number above a negative maximum', { type: 'number', maximum: -1.5 }, '-1.4', false],
    ['a whole number within bounds', { type: 'number', minimum: 0, maximum: 100 }, '100', true],
    ['an exponent within bounds', { type: 'number', minimum: 0 }, '1e2', false],
    ['a multiple', { type: 'integer', multipleOf: 5 }, '-15', true],
    ['no multiple', { type: 'number', multipleOf: 5 }, '12', false],
    ['a multiple of a fraction', { type: 'number', multipleOf: 0.05 }, '-1.15', true],
    ['a multiple of a fraction with zeros behind it', { type: 'number', multipleOf: 0.5 }, '2.500', true],
    ['a whole multiple of a fraction', { type: 'number', multipleOf: 0.25 }, '3', true],
    ['no multiple of a fraction', { type: 'number', multipleOf: 0.05 }, '1.12', false],
    ['a multiple above a bound', { type: 'number', multipleOf: 0.3, minimum: 1, maximum: 1.3 }, '1.2', true],
    ['a multiple beside a bound', { type: 'number', multipleOf: 0.3, minimum: 1, maximum: 1.3 }, '0.9', false],
    ['a number that is infinite', { type: 'number' }, '1e309', false],
    ['a number with a leading point', { type: 'number' }, '.5', false],
    ['another property twice', { type: 'object' }, '{"a":1,"a":2}', false],
    ['another property that is known in another spelling', { type: 'object', properties: { a: { type: 'null' } } }, '{"\\u0061":1}', false],
    ['alternatives of oneOf that bounds tell apart, above both', { type: 'integer', oneOf: [{ minimum: 3 }, { minimum: 5 }] }, '7', false],
    ['alternatives of oneOf that bounds tell apart, above one', { type: 'integer', oneOf: [{ minimum: 3 }, { minimum: 5 }] }, '4', true],
    ['alternatives of oneOf that meet where it cannot be told', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, '7', true],
    ['an optional property within the most', { properties: { a: {}, b: {} }, required: ['b'], maxProperties: 1 }, '{"a":1,"b":2}', false],
    [
      'the least properties',
      { type: 'object', properties: { a: {}, b: {} }, minProperties: 2, additionalProperties: false },
      '{"b":1}',
      false,
    ],
    ['names of an enum', { propertyNames: { enum: ['a', 'b'] } }, '{"b":1}', true],
    ['another name than those of an enum', { propertyNames: { enum: ['a', 'b'] } }, '{"c":1}', false],
    [
      'a name of a pattern',
      { type: 'object', patternProperties: { '^x': { type: 'null' } }, additionalProperties: false },
      '{"xü":null}',
      true,
    ],
    [
      'a name of no pattern',
      { type: 'object', patternProperties: { '^x': { type: 'null' } }, additionalProperties: false },
      '{"y":null}',
      false,
    ],
    ['a tuple of older drafts', { type: 'array', items: [{ type: 'null' }], additionalItems: { type: 'boolean' } }, '[null,true]', true],
    ['an element twice', { type: 'array', items: { type: 'string' }, uniqueItems: true }, '["a","a"]', false],
    ['a number twice in other digits', { type: 'array', items: { type: 'number' }, uniqueItems: true }, '[1,1.0]', false],
    ['an element that another one begins with', { type: 'array', items: { type: 'string' }, uniqueItems: true }, '["a","ab"]', true],
    ['null where it is nullable', { $ref: '#/$defs/a', nullable: true, $defs: { a: { type: 'string' } } }, 'null', true],
    ['a bound that is marked as exclusive', { type: 'integer', minimum: 3, exclusiveMinimum: true }, '3', false],
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

  test.each([
    ['a constant', '{"const":9007199254740993}', '9007199254740993', true],
    ['the double beside a constant', '{"const":9007199254740993}', '9007199254740992', false],
    ['one of several constants that JavaScript counts alike', '{"enum":[9007199254740992,9007199254740993]}', '9007199254740993', true],
    ['a constant within a value', '{"const":{"id":[-12345678901234567890]}}', '{"id":[-12345678901234567890]}', true],
    ['a constant of its type', '{"type":"integer","enum":[9007199254740993,"a"]}', '9007199254740993', true],
    ['a constant with a zero behind the point', '{"const":9007199254740993.0}', '9007199254740993', true],
    ['a constant with an exponent', '{"const":9007199254740993e1}', '90071992547409930', true],
    [
      'a constant that a bound excludes',
      '{"enum":[9007199254740993,9007199254740995],"minimum":9007199254740994}',
      '9007199254740993',
      false,
    ],
    [
      'a constant of 30 digits above a bound',
      '{"enum":[100000000000000000000000000002],"multipleOf":3,"minimum":0}',
      '100000000000000000000000000002',
      true,
    ],
    ['a constant that two parts share', '{"enum":[1,9007199254740993],"const":9007199254740993}', '9007199254740993', true],
    ['an integer at its maximum', '{"type":"integer","maximum":9007199254740993}', '9007199254740993', true],
    ['an integer above its maximum', '{"type":"integer","maximum":9007199254740993}', '9007199254740994', false],
    ['an integer at its exclusive minimum', '{"type":"integer","exclusiveMinimum":9007199254740993}', '9007199254740993', false],
    ['a number at its minimum', '{"type":"number","minimum":9007199254740993}', '9007199254740993.0', true],
    ['a number below its minimum', '{"type":"number","minimum":9007199254740993}', '9007199254740992.9', false],
    ['a multiple', '{"type":"integer","multipleOf":9007199254740993}', '18014398509481986', true],
    ['no multiple', '{"type":"integer","multipleOf":9007199254740993}', '18014398509481984', false],
    ['another value than a constant', '{"not":{"const":9007199254740993}}', '9007199254740992', true],
    ['the constant that is excluded', '{"not":{"const":9007199254740993}}', '9007199254740993', false],
    ['an integer within what is turned round', '{"type":"integer","not":{"minimum":9007199254740993}}', '9007199254740993', false],
    [
      'alternatives of oneOf that a constant tells apart',
      '{"oneOf":[{"const":9007199254740992},{"const":9007199254740993}]}',
      '9007199254740993',
      true,
    ],
    [
      'distinct elements that JavaScript counts alike',
      '{"type":"array","uniqueItems":true,"items":{"enum":[9007199254740992,9007199254740993]}}',
      '[9007199254740993,9007199254740992]',
      true,
    ],
    [
      'an element twice',
      '{"type":"array","uniqueItems":true,"items":{"enum":[9007199254740992,9007199254740993]}}',
      '[9007199254740993,9007199254740993]',
      false,
    ],
    ['a length beyond all texts', '{"type":"string","maxLength":9223372036854775807}', '"abc"', true],
  ])('whole numbers beyond 2^53: %s', (_name, schema, text, isAllowed) => {
    expect(allowsText(schemaOf(toSchemaJson(parseJson(schema))), text)).toBe(isAllowed)
  })

  test.each([
    ['{"const":1e400}', 'the schema has a constant with a number beyond 1.8e308'],
    ['{"enum":[{"a":[-1e400]}]}', 'the schema has a constant with a number beyond 1.8e308'],
    ['{"minimum":1e400}', 'has "minimum" Infinity; it must be a number'],
    ['{"minimum":{"a":9007199254740993}}', 'has "minimum" {"a":9007199254740993}; it must be a number'],
    ['{"type":9007199254740993}', 'has "type" 9007199254740993; types are'],
    ['{"items":9007199254740993}', 'is 9007199254740993; it must be an object, true or false'],
    ['{"$ref":9007199254740993}', 'has $ref 9007199254740993; only references'],
    ['{"type":"string","pattern":9007199254740993}', '"pattern" 9007199254740993, which is not a string'],
    ['{"type":"string","format":9007199254740993}', '"format" 9007199254740993, which is not supported'],
    ['{"type":"string","minLength":-9007199254740993}', 'has "minLength" -9007199254740993; it must be a whole number'],
    ['{"type":"integer","multipleOf":-9007199254740993}', 'has "multipleOf" -9007199254740993; it must be a number above 0'],
  ])('%s is refused with what it says', (schema, message) => {
    expect(() => follow(schemaOf(toSchemaJson(parseJson(schema))))).toThrow(message)
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
    expect(allowsText(schemaOf(list), '{"value":1,"next":{"value":2,"next":{"value":3,"next":null}}}')).toBe(true)
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

  describe('beside text', () => {
    const textOr = (parallel: boolean, tools: ToolSchema[] = [add, now], given: object = {}, open = '<tool_call>') =>
      follow({ kind: 'tool-call', tools, format: { ...format, ...given }, parallel, otherwise: { kind: 'text', open } }, vocabulary)
    const call = (name: string, given: string) => `<tool_call>{"name":"${name}","arguments":${given}}</tool_call>`
    const letters = (text: string) => new TextEncoder().encode(text)

    test.each<[string, boolean, string, boolean]>([
      ['no call', false, 'Hello <b> {"name":"now"} <tool', true],
      ['nothing', false, '', true],
      ['one call', false, call('add', '{"a":1}'), true],
      ['text, then a call', false, `Let me see.\n${call('now', '{}')}`, true],
      ['a call, then text', false, `${call('now', '{}')} done`, true],
      ['two calls where one is allowed', false, call('now', '{}') + call('now', '{}'), false],
      ['two calls with text between them where one is allowed', false, `${call('now', '{}')} and ${call('now', '{}')}`, false],
      ['two calls', true, `${call('now', '{}')}\n${call('add', '{"a":2}')}`, true],
      ['arguments that a strict tool does not allow', true, call('add', '{"a":"x"}'), false],
      ['a tool that is not there', true, call('sub', '{}'), false],
      ['a call that is not closed', true, '<tool_call>{"name":"now"', false],
    ])('%s', (_name, parallel, text, isAllowed) => {
      expect(allows(textOr(parallel), spell(text))).toBe(isAllowed)
    })

    test('a call whose opening is spelled by letters is held to the schema as well', () => {
      expect(allows(textOr(false), [...letters('<tool_call>{"name":"add","arguments":{"a":1}}'), close])).toBe(true)
      expect(allows(textOr(false), [...letters('<<tool_call>{"name":"add","arguments":{"a":"x"}}'), close])).toBe(false)
    })

    test('a list of calls has one call, or several', () => {
      const list = { preamble: '<tool_call>[', begin: '{"name":"', end: '}', separator: ', ', epilogue: ']' }
      const two = '<tool_call>[{"name":"now","arguments":{}}, {"name":"now","arguments":{}}]'
      expect(allows(textOr(true, [now], list), spell(two))).toBe(true)
      expect(allows(textOr(false, [now], list), spell(two))).toBe(false)
      expect(allows(textOr(false, [now], list), spell(`ok ${two.replace(/, .*]/, ']')}`))).toBe(true)
    })

    test('where the JSON of a call is the whole answer, text does not begin like it, also behind reasoning', () => {
      const bare = { begin: '{"name":"', middle: '","parameters":', end: '}', separator: null }
      const isAllowed = (text: string) => allows(textOr(false, [add], bare, ''), letters(text))
      expect(isAllowed('{"name":"add","parameters":{"a":1}}')).toBe(true)
      expect(isAllowed('{"name":"add","parameters":{}}')).toBe(false)
      expect(isAllowed('Say {"name":"add","parameters":{}}')).toBe(true)
      expect(isAllowed(' [1]')).toBe(false)
      expect(isAllowed('<think>hm</think>{"name":"add","parameters":{"a":1}}')).toBe(true)
      expect(isAllowed('<think>hm</think>{"name":"add","parameters":{}}')).toBe(false)
    })

    test('free text may hold any special token, such as those around reasoning', () => {
      const mask = new Uint8Array(vocabulary.size)
      expect([textOr(false).writeAllowed(mask), mask[open], mask[close]]).toEqual([vocabulary.size, 1, 1])
    })
  })

  test('beside JSON, an answer is either', () => {
    const json = { kind: 'json-schema', schema: { type: 'object', properties: { x: { type: 'null' } }, required: ['x'] } } as const
    const isAllowed = (text: string) =>
      allows(follow({ kind: 'tool-call', tools: [add], format, parallel: false, otherwise: json }, vocabulary), spell(text))
    expect(isAllowed('{"x":null}')).toBe(true)
    expect(isAllowed('<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>')).toBe(true)
    expect(isAllowed('ok')).toBe(false)
    expect(isAllowed('{"x":null}<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>')).toBe(false)
  })

  test('special tokens are written as a whole, not by their bytes', () => {
    const mask = new Uint8Array(vocabulary.size)
    const calls = callsOf(false)
    expect([calls.writeAllowed(mask), mask[open]]).toEqual([1, 1])
    for (const token of spell('<tool_call>{"name":"now","arguments":{}}')) calls.accept(token)
    expect([calls.writeAllowed(mask), mask[close]]).toEqual([1, 1])
  })

  test('a keyword that is not enforced is an error for a strict tool and passed over for others', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '(a)\\1' } } }
    expect(() => callsOf(false, [{ name: 'f', parameters, strict: true }])).toThrow(
      'parameters of tool "f": the schema at /properties/a has "pattern"',
    )
    expect(() => callsOf(false, [{ name: 'f', parameters, strict: false }])).not.toThrow()
  })
})

test('a schema whose alternatives stay open side by side is refused once a token takes too many steps', () => {
  // A vocabulary as of real models: free text continues with any of its tokens, in each of the alternatives.
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
