import { createVocabulary, type TokenSource, type Vocabulary } from '../vocabulary.ts'

/** A token for each byte, then these texts, then these special tokens. */
export function vocabularyOf(texts: readonly string[] = [], specials: readonly string[] = []): Vocabulary {
  const encoder = new TextEncoder()
  const bytes = [
    ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
    ...texts.map((text) => encoder.encode(text)),
    ...specials.map((text) => encoder.encode(text)),
  ]
  const source: TokenSource = {
    vocabularySize: bytes.length,
    bytesOf: (token) => bytes[token]!,
    special: { all: new Set(specials.map((_, index) => 256 + texts.length + index)) },
  }
  return createVocabulary(source)
}

/** Tokens as a trained tokenizer has them: they cross the borders of strings, names and values, and cut characters. */
export const mixedTexts = [
  '{"',
  '":',
  '": "',
  '","',
  '"}',
  '"]}',
  ' true',
  'null,',
  '[{"',
  '12',
  '.5',
  '-1',
  '\\u00',
  '\\"',
  'ab',
  'id',
  '  ',
  '\n  ',
  '"a":',
]

/** What tokens without special ones spell. @throws TypeError when it is not UTF-8 */
export function textOf(vocabulary: Vocabulary, tokens: readonly number[]): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(tokens.flatMap((token) => [...vocabulary.symbolsOf(token)])))
}
