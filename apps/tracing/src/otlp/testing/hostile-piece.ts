import { payloadCanary } from '@heddle/service-kit/testing'
import fc from 'fast-check'

/** Bytes of a hostile request, with the names of the rules of the grammar that made them. */
export interface Piece {
  bytes: Buffer
  rules: readonly string[]
}

/** The rules of a grammar by name. A rule must be in `names` before it can be used. */
export interface Grammar<Name extends string> {
  readonly names: readonly Name[]
  /** What `arbitrary` makes, as made by the rule. */
  rule(name: Name, arbitrary: fc.Arbitrary<Buffer | Piece>): fc.Arbitrary<Piece>
}

export function grammarOf<const Name extends string>(names: readonly Name[]): Grammar<Name> {
  return {
    names,
    rule: (name, arbitrary) =>
      arbitrary.map((made) => {
        const { bytes, rules } = Buffer.isBuffer(made) ? { bytes: made, rules: [] } : made
        return { bytes, rules: [name, ...rules] }
      }),
  }
}

/** Pieces one after the other, with `between` where they meet. */
export function joined(pieces: readonly Piece[], between: Buffer = Buffer.alloc(0)): Piece {
  const bytes = pieces.flatMap((piece, index) => (index === 0 ? [piece.bytes] : [between, piece.bytes]))
  return { bytes: Buffer.concat(bytes), rules: pieces.flatMap(({ rules }) => rules) }
}

/** The same pieces with other bytes. */
export function changed(piece: Piece, change: (bytes: Buffer) => Buffer): Piece {
  return { ...piece, bytes: change(piece.bytes) }
}

/** The beginning of a piece, cut off anywhere. */
export function truncated(whole: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> {
  return fc
    .tuple(whole, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([piece, share]) => changed(piece, (bytes) => bytes.subarray(0, Math.floor(share * bytes.length))))
}

/** Text that is hard to store, to escape or to count. */
export const hostileText = fc.constantFrom(
  '',
  payloadCanary,
  '\0',
  'a\0b',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '\u2028\u2029',
  '\ufeff',
  '\u202e',
  '😀'.repeat(40),
  'e\u0301'.repeat(50),
  "'; DROP TABLE calls --",
  '{p0:String}',
  '${jndi:x}',
  '\\',
  '"',
  '%00',
  'a.b..c',
  '.'.repeat(200),
  'gen_ai.prompt.0.content',
  'gen_ai.prompt.99999999999.content',
  'gen_ai.prompt.-1',
  'llm.input_messages.0.message.content',
  'x'.repeat(3_000),
  '{"__proto__":{"polluted":1}}',
  '['.repeat(2_000),
  '{"a":'.repeat(300),
  '1e999',
  '-0',
  'null',
)

/** Bytes that are not UTF-8. */
export const invalidUtf8 = fc.constantFrom(
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x61, 0x80, 0x62],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
)
