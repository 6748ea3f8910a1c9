import { tooLarge } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInteger, isJsonNumber, JsonNumber } from './json-number.ts'
import { parseJson, parseJsonPaced } from './parse-json.ts'
import { parseLossless, parseLosslessPaced } from './parse-lossless.ts'
import { stringifyJson } from './stringify-json.ts'

const seed = 20260801
const bytes = (text: string) => new TextEncoder().encode(text)

/** Every number as its literal: the plainest parser that loses nothing, by way of marked strings. */
function naiveParse(json: string): unknown {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"\u0001${token}"`))
  return JSON.parse(marked.replaceAll('\u0001', '\\u0001'), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith('\u0001') ? new JsonNumber(value.slice(1)) : value,
  )
}

/** The same tree with every number as its literal. */
function literals(value: unknown): unknown {
  if (typeof value === 'number') return new JsonNumber(String(value))
  if (Array.isArray(value)) return value.map(literals)
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literals(member)]))
}

const numberLiteral = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? '-0' : String(n))),
  fc.bigInt().map(String),
  fc.tuple(fc.integer(), fc.nat(999_999), fc.constantFrom('', 'e3', 'E-7', 'e+400')).map(([a, b, e]) => `${a}.${b}${e}`),
  fc.constantFrom('1.0', '-0', '0', '-0.0', '0.10', '1e3', '1E400', '9007199254740993', '0.000001', '1e-7', '3.50', '123456789012345.6'),
)
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numberLiteral,
    fc.string({ unit: 'grapheme' }).map((s) => JSON.stringify(s)),
    fc.constantFrom('true', 'false', 'null', '"\\u00e9\\ud83c\\udf69"', '"\\\\"', '"\\\\\\""'),
    fc.array(tie('value'), { maxLength: 5 }).map((list) => `[${list.join(' , ')}]`),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a', '10')), tie('value')), { maxLength: 5 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).value

test('every number keeps its literal, as in a parser that keeps them all', () => {
  fc.assert(
    fc.property(jsonText, (json) => {
      expect(literals(parseJson(json))).toEqual(naiveParse(json))
      expect(parseJson(bytes(json))).toEqual(parseJson(json))
    }),
    { seed, numRuns: 1_000 },
  )
})

test('a text is read in turns as it is at once, and is refused with the same message', async () => {
  const asIs = (string: string) => string
  const outcome = async (parse: () => unknown) => {
    try {
      return { value: literals(await parse()) }
    } catch (error) {
      return { error }
    }
  }
  const cut = fc.tuple(jsonText, fc.nat(), fc.boolean()).map(([json, at, isCut]) => (isCut ? json.slice(0, at % json.length) : json))
  await fc.assert(
    fc.asyncProperty(cut, async (json) => {
      const atOnce = await outcome(() => parseLossless(json, asIs))
      expect(await outcome(() => parseLosslessPaced(json, asIs, () => Promise.resolve()))).toEqual(atOnce)
    }),
    { seed, numRuns: 300 },
  )
})

test.each([
  ['the native parser gives', '1'],
  ['another parser must keep', '1.0'],
])('a text of many values that %s lets others use the event loop', async (_, number) => {
  const text = `{"a":[${`${number},`.repeat(120_000)}{"b":"\\ud800"}]}`
  let turns = 0
  const value = await parseJsonPaced(text, {}, () => {
    turns++
    return undefined
  })
  expect(value).toEqual(parseJson(text))
  expect(turns).toBeGreaterThan(100)
})

test('values without unusual numbers are what the native parser gives, also when one number elsewhere forces the other parser', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value)
      const plain = JSON.parse(json) as unknown
      expect(literals(parseJson(json))).toEqual(literals(plain))
      expect(parseJson(`[1.0,${json}]`)).toEqual([new JsonNumber('1.0'), parseJson(json)])
    }),
    { seed, numRuns: 300 },
  )
})

test('broken text is refused exactly when the native parser refuses it', () => {
  const cut = fc.tuple(jsonText, fc.nat(), fc.constantFrom('', '"', '}', ']', ',', ':', '\\', '0', '-', '.', 'e', '\u0001', ' '))
  fc.assert(
    fc.property(cut, ([json, at, inserted]) => {
      const place = at % (json.length + 1)
      const broken = json.slice(0, place) + inserted + json.slice(place + (at % 2))
      expect(accepts(() => parseJson(broken))).toBe(accepts(() => JSON.parse(broken)))
    }),
    { seed, numRuns: 1_500 },
  )
})

function accepts(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

test.each([
  ['1', 1],
  ['-1', -1],
  ['0', 0],
  ['0.5', 0.5],
  ['-12.25', -12.25],
  ['9007199254740991', 9_007_199_254_740_991],
  ['1e-7', 1e-7],
])('%s is a plain number', (json, value) => {
  expect(parseJson(json)).toBe(value)
})

test.each(['1.0', '1e3', '3.50', '9007199254740992', '-9007199254740993', '1e400', '-0', '-0.0', '1e21', '1e+21', '0.1000'])(
  '%s keeps its literal',
  (json) => {
    expect(parseJson(json)).toEqual(new JsonNumber(json))
    expect(stringifyJson(parseJson(`{"n":[${json}]}`))).toBe(`{"n":[${json}]}`)
  },
)

test('the literal distinguishes an integer from a float', () => {
  expect(isInteger(new JsonNumber('18446744073709551616'))).toBe(true)
  expect(isInteger(new JsonNumber('1.0'))).toBe(false)
  expect(isInteger(new JsonNumber('1e3'))).toBe(false)
})

test('the native writer refuses a number that it would change', () => {
  expect(() => JSON.stringify({ n: new JsonNumber('1.0') })).toThrow('stringifyJson')
})

test.each(['{"a":1,"a":2}', '{"a":1.0,"a":2}'])('the last of equal keys wins in %s', (json) => {
  expect(parseJson(json)).toEqual({ a: 2 })
})

test.each([
  '{"__proto__":{"polluted":true},"n":1}',
  '{"__proto__":{"polluted":true},"n":1.0}',
  '{"constructor":{"prototype":{"polluted":1.0}}}',
])('names of the prototype chain are data in %s', (json) => {
  const value = parseJson(json) as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.keys(value)).toEqual(Object.keys(JSON.parse(json) as object))
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(stringifyJson(value)).toBe(json)
})

describe('limits', () => {
  test('200 levels pass and 201 are too large', () => {
    const nested = (levels: number, inner: string) => '['.repeat(levels) + inner + ']'.repeat(levels)
    expect(parseJson(nested(200, '1'))).toBeDefined()
    expect(parseJson(nested(200, '1.0'))).toBeDefined()
    expect(() => parseJson(nested(201, '1'))).toThrow(expect.objectContaining({ status: 413, message: 'Request too large' }))
  })

  test.each(['[', '{"a":', '[{"a":'])('a million levels of %s do not blow the stack', (opening) => {
    expect(() => parseJson(opening.repeat(1_000_000))).toThrow(expect.objectContaining({ status: 413 }))
  })

  test('an object of 10,000 keys passes and one more is refused', () => {
    const object = (keys: number) => `{${Array.from({ length: keys }, (_, key) => `"${key}":0`).join(',')}}`
    expect(Object.keys(parseJson(object(10_000)) as object)).toHaveLength(10_000)
    expect(() => parseJson(`[${object(10_001)}]`)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('text', () => {
  test('a body that is not UTF-8 is a bad request', () => {
    for (const bad of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xe2, 0x82],
    ])
      expect(() => parseJson(Uint8Array.from(bad))).toThrow(expect.objectContaining({ status: 400 }))
  })

  test.each([
    ['"\\ud83c"', '\uFFFD', 1],
    ['"\\udf69\\ud83c x"', '\uFFFD\uFFFD x', 2],
    ['"\\ud83c\\udf69"', '🍩', 0],
    ['"\\\\ud83c\\udf69"', '\\ud83c\uFFFD', 1],
    ['"\\\\ud83c"', '\\ud83c', 0],
    ['"\ud83c"', '\uFFFD', 1],
    ['{"\\uD83C":1}', { '\uFFFD': 1 }, 1],
  ])('lone surrogates of %s are replaced and counted', (json, expected, count) => {
    let told = 0
    expect(parseJson(json, { onLoneSurrogates: (replaced) => (told += replaced) })).toEqual(expected)
    expect(told).toBe(count)
  })

  test('lone surrogates stay where a digest is taken over the text as sent', () => {
    expect(parseJson('"\\ud83c"', { loneSurrogates: 'keep' })).toBe('\ud83c')
  })

  test('NUL, bidirectional marks and other controls are data', () => {
    expect(parseJson('["\\u0000\u202e\\u001f",1.0]')).toEqual(['\u0000\u202e\u001f', new JsonNumber('1.0')])
  })

  test('a byte order mark before the text is dropped', () => {
    expect(parseJson(bytes('\uFEFF{"é":1}'))).toEqual({ é: 1 })
  })
})

test.each([
  ['', 'position 0: expected a value, found the end'],
  ['{"a" 1}', 'position 5: expected ":", found "1"'],
  ['{"a":1', 'position 6: expected "," or "}", found the end'],
  ['[1.0,]', 'position 5: expected a value, found "]"'],
  ['[NaN]', 'position 1: expected a value, found "N"'],
  ['"abc', 'position 0: the string is not closed'],
  ['"a\nb"', 'position 0: the string has a bad escape or a control character'],
  ['1 2', 'position 2: expected the end, found "2"'],
])('%j is refused with the position', (json, problem) => {
  expect(() => parseJson(json)).toThrow(
    expect.objectContaining({ status: 422, issues: [{ loc: ['body'], msg: expect.stringContaining(problem), type: 'json_invalid' }] }),
  )
})

describe('the count of keys and values', () => {
  test.each<[string, number]>([
    ['1', 1],
    ['[]', 1],
    ['[[],{},""]', 4],
    ['[1.0,-2,3e4,null,true,false]', 7],
    ['{"a":"b","c":{"d":null}}', 7],
    ['  [ "tfn\\"[1,2]" , 0.5 ]  ', 3],
  ])('of %s is %i: it is taken under that bound, and refused below', (json, count) => {
    expect(parseJson(json, { maxValues: count })).toEqual(parseJson(json))
    expect(() => parseJson(json, { maxValues: count - 1 })).toThrow(
      tooLarge(`the JSON of the request has more than ${count - 1} keys and values; send it in smaller parts`),
    )
  })

  test('ends the reading at the bound, before anything is made of the text', () => {
    expect(() => parseJson(`[1,1,1,${'x'.repeat(10)}`, { maxValues: 3 })).toThrow(expect.objectContaining({ status: 413 }))
    expect(() => parseJson('[1,1,x', { maxValues: 3 })).toThrow(expect.objectContaining({ status: 422 }))
  })
})
