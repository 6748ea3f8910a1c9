import fc from 'fast-check'
import { changed, grammarOf, hostileText, invalidUtf8, joined, truncated, type Piece } from './hostile-piece.ts'

/** Every way in which the text of a hostile export request leaves the path of a good one, and the good parts around it. */
export const jsonGrammar = grammarOf([
  'request',
  'resource',
  'span',
  'event',
  'link',
  'status',
  'attribute',
  'any value',
  'list',
  'object',
  'deep value',
  'deep JSON',
  'text',
  'escaped NUL',
  'lone surrogate',
  'invalid escape',
  'raw control character',
  'invalid UTF-8',
  'id',
  'id of a wrong length',
  'time',
  'integer',
  'number out of range',
  'number of many digits',
  'no JSON number',
  'member of another type',
  'unknown member',
  'prototype member',
  'repeated member',
  'missing value',
  'trailing comma',
  'comment',
  'byte order mark',
  'truncated',
  'more than one value',
  'no object',
  'many empty parts',
])
const { rule } = jsonGrammar

const raw = (text: string): Buffer => Buffer.from(text)
const comma = raw(',')
const wrapped = (before: string, after: string) => (piece: Piece) =>
  changed(piece, (bytes) => Buffer.concat([raw(before), bytes, raw(after)]))
const written = (...texts: string[]) => fc.constantFrom(...texts).map(raw)

const text = fc.oneof(
  {
    weight: 8,
    arbitrary: rule(
      'text',
      hostileText.map((value) => raw(JSON.stringify(value))),
    ),
  },
  rule('escaped NUL', written('"\\u0000"', '"a\\u0000b"')),
  rule('lone surrogate', written('"\\ud800"', '"\\udc00x"', '"\\ud83d\\ud83d"')),
  rule('invalid escape', written('"\\x41"', '"\\u12"', '"\\"')),
  rule('raw control character', written('"a\u0000b"', '"a\nb"', '"\u001f"')),
  rule(
    'invalid UTF-8',
    invalidUtf8.map((bytes) => Buffer.concat([raw('"'), Buffer.from(bytes), raw('"')])),
  ),
)
const id = fc.oneof(
  {
    weight: 6,
    arbitrary: rule(
      'id',
      fc.tuple(fc.constantFrom(8, 16), fc.nat(255)).map(([length, fill]) => raw(`"${Buffer.alloc(length, fill).toString('hex')}"`)),
    ),
  },
  rule('id of a wrong length', written('""', '"0"', '"zz"', '"+/=="', `"${'a'.repeat(1_000)}"`)),
)
const number = fc.oneof(
  {
    weight: 4,
    arbitrary: rule('integer', written('0', '1', '"42"', '-1', '9007199254740993', '"-9223372036854775808"', '18446744073709551616')),
  },
  rule('number out of range', written('1e400', '-1e400', '1e-400', '"1e400"', '1E+99999', '-0')),
  rule(
    'number of many digits',
    fc.constantFrom(50, 400, 5_000).map((digits) => raw('9'.repeat(digits))),
  ),
  rule('no JSON number', written('NaN', 'Infinity', '01', '+1', '.5', '5.', '0x10', '1_000', '"NaN"')),
)
const time = rule('time', written('"1772409600000000000"', '1772409600000000000', '"0"', '"-1"', '"99999999999999999999999"', '1.5'))
const wrongType = rule('member of another type', written('null', 'true', '[]', '{}', '[[]]', '[null]', '"text"', '7', '{"a":1}', '[{}]'))
const levels = [2, 50, 99, 100, 101, 500, 4_000]
const deepValues = levels.map((count) => raw(`${'{"arrayValue":{"values":['.repeat(count)}{}${']}}'.repeat(count)}`))
const deepTexts = levels.map((count) => raw(`"other":${'['.repeat(count)}${']'.repeat(count)}`))
const emptyParts = ['{"spans":[@]}', '{"spans":[{"attributes":[@]}]}'].map((around) =>
  raw(`{"resourceSpans":[{"scopeSpans":[${around.replace('@', Array<string>(5_000).fill('{}').join(','))}]}]}`),
)

const named = (name: string, value: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  fc.oneof({ weight: 14, arbitrary: value }, { weight: 1, arbitrary: wrongType }).map(wrapped(`"${name}":`, ''))
const hostileMember = fc.oneof(
  rule('unknown member', written('"unknown":1', '"":{}', '"toString":"x"', '"resource_spans":[]', '"length":5')),
  rule('prototype member', written('"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}', '"__proto__":null')),
  rule('repeated member', written('"name":"a","name":{}', '"attributes":[],"attributes":[]', '"key":"a","key":1')),
  rule('missing value', written('"name":', '"name"', ':1')),
  rule('trailing comma', written('"name":"a",')),
  rule('comment', written('/* x */"name":"a"', '"name":"a"// x\n')),
  rule('deep JSON', fc.constantFrom(...deepTexts)),
)

/** An object of some of the members; few are hostile, since any of these ends most requests. */
function object(members: readonly fc.Arbitrary<Piece>[]): fc.Arbitrary<Piece> {
  const good = members.map((arbitrary) => ({ weight: 8, arbitrary }))
  return fc
    .array(fc.oneof(...good, { weight: 1, arbitrary: hostileMember }), { maxLength: members.length + 1, size: 'max' })
    .map((pieces) => wrapped('{', '}')(joined(pieces, comma)))
}
function list(element: fc.Arbitrary<Piece>, maxLength: number): fc.Arbitrary<Piece> {
  return fc.array(element, { maxLength, size: 'max' }).map((pieces) => wrapped('[', ']')(joined(pieces, comma)))
}

const { attribute } = fc.letrec<{ value: Piece; attribute: Piece }>((tie) => ({
  value: rule(
    'any value',
    fc.oneof(
      { maxDepth: 4 },
      object([
        fc.oneof(
          named('stringValue', text),
          named('intValue', number),
          named('doubleValue', number),
          named('boolValue', fc.oneof(number, text)),
          named('bytesValue', text),
          named('string_value', text),
        ),
      ]),
      rule('deep value', fc.constantFrom(...deepValues)),
      rule('list', list(tie('value'), 3).map(wrapped('{"arrayValue":{"values":', '}}'))),
      rule('object', list(tie('attribute'), 3).map(wrapped('{"kvlistValue":{"values":', '}}'))),
    ),
  ),
  attribute: rule(
    'attribute',
    fc.tuple(named('key', text), named('value', tie('value'))).map((members) => wrapped('{', '}')(joined(members, comma))),
  ),
}))
const attributes = named('attributes', list(attribute, 4))
const event = rule('event', object([named('timeUnixNano', time), named('name', text), attributes, named('droppedAttributesCount', number)]))
const link = rule('link', object([named('traceId', id), named('spanId', id), attributes, named('flags', number)]))
const status = rule('status', object([named('code', fc.oneof(number, text)), named('message', text)]))
/** With ids, so that what else is in it is looked at. */
const span = rule(
  'span',
  fc
    .tuple(
      fc.uint8Array({ minLength: 24, maxLength: 24 }),
      fc.array(
        fc.oneof(
          { weight: 1, arbitrary: hostileMember },
          ...[
            named('parentSpanId', id),
            named('traceState', text),
            named('name', text),
            named('kind', fc.oneof(number, text)),
            named('startTimeUnixNano', time),
            named('endTimeUnixNano', time),
            attributes,
            attributes,
            named('events', list(event, 2)),
            named('links', list(link, 2)),
            named('status', status),
          ].map((arbitrary) => ({ weight: 6, arbitrary })),
        ),
        { maxLength: 9, size: 'max' },
      ),
    )
    .map(([bytes, members]) => {
      const ids = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      return wrapped(
        `{"traceId":"${ids.slice(16)}","spanId":"${ids.slice(0, 16)}"`,
        '}',
      )(members.length ? wrapped(',', '')(joined(members, comma)) : joined([]))
    }),
)
const resource = rule('resource', object([attributes, named('droppedAttributesCount', number)]))
const scopeSpans = list(span, 3).map(wrapped('{"scope":{"name":"s"},"spans":', '}'))
const resourceSpans = fc
  .tuple(named('resource', resource), named('scopeSpans', list(scopeSpans, 2)))
  .map((members) => wrapped('{', '}')(joined(members, comma)))
const whole = rule('request', list(resourceSpans, 2).map(wrapped('{"resourceSpans":', '}')))

/** The bytes of a hostile OTLP export request in JSON. */
export const hostileJson: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 14, arbitrary: whole },
  {
    weight: 1,
    arbitrary: rule(
      'byte order mark',
      whole.map((piece) => changed(piece, (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))),
    ),
  },
  {
    weight: 1,
    arbitrary: rule('truncated', truncated(whole)),
  },
  {
    weight: 1,
    arbitrary: rule(
      'more than one value',
      whole.map((piece) => changed(piece, (bytes) => Buffer.concat([bytes, bytes]))),
    ),
  },
  { weight: 1, arbitrary: rule('no object', written('', ' ', 'null', '[]', '"x"', '1', 'true', '{', '}', '[[[[')) },
  { weight: 1, arbitrary: rule('many empty parts', fc.constantFrom(...emptyParts)) },
)
