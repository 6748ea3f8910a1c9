import { TokenizerError } from './tokenizer-error.ts'

/** How the text of a token in `tokenizer.json` spells its bytes. */
export type TokenSpelling = 'byte-level' | 'metaspace'

interface Step {
  type?: unknown
  decoders?: unknown
  pattern?: { String?: unknown }
  content?: unknown
}

/**
 * Which spelling the decoder of a `tokenizer.json` undoes. `byte-level`: each byte is a printable character (GPT-2). `metaspace`: U+2581 is a space,
 * and `<0x0A>` a byte (SentencePiece with byte fallback).
 * @throws TokenizerError for any other, whose tokens cannot be mapped to bytes individually
 */
export function readSpelling(decoder: unknown): TokenSpelling {
  const steps = stepsOf(decoder)
  if (steps.some(({ type }) => type === 'ByteLevel')) return 'byte-level'
  if (steps.some((step) => step.type === 'Metaspace' || (step.type === 'Replace' && step.pattern?.String === '▁'))) return 'metaspace'
  const names = steps.map(({ type }) => String(type)).join(', ') || 'none'
  throw new TokenizerError(`the decoder of tokenizer.json (${names}) is not supported: it must be ByteLevel, Metaspace or replace U+2581`)
}

function stepsOf(decoder: unknown): Step[] {
  if (typeof decoder !== 'object' || decoder === null) return []
  const step = decoder as Step
  return step.type === 'Sequence' && Array.isArray(step.decoders) ? step.decoders.flatMap(stepsOf) : [step]
}

/** The bytes that the text of a token of the vocabulary spells; special and other added tokens are their plain text instead. */
export function toTokenBytes(text: string, spelling: TokenSpelling): Uint8Array {
  return spelling === 'byte-level' ? fromByteLevel(text) : fromMetaspace(text)
}

function fromByteLevel(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const byte = byteOfCharacter.get(character)
    if (byte === undefined) return new TextEncoder().encode(text)
    bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}

function fromMetaspace(text: string): Uint8Array {
  const fallback = /^<0x([0-9A-Fa-f]{2})>$/.exec(text)
  return fallback ? Uint8Array.of(Number.parseInt(fallback[1]!, 16)) : new TextEncoder().encode(text.replaceAll('▁', ' '))
}

/** The alphabet of GPT-2 (Radford et al. 2019): printable Latin-1 represents itself, the other bytes follow from U+0100 in order. */
const byteOfCharacter: ReadonlyMap<string, number> = createByteAlphabet()

function createByteAlphabet(): Map<string, number> {
  const isPrintable = (byte: number) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
  const alphabet = new Map<string, number>()
  let next = 0x100
  for (let byte = 0; byte < 256; byte += 1) alphabet.set(String.fromCodePoint(isPrintable(byte) ? byte : next++), byte)
  return alphabet
}

/** The character that spells a byte in a vocabulary of the `byte-level` spelling. */
export const byteLevelCharacters: readonly string[] = [...byteOfCharacter].toSorted(([, a], [, b]) => a - b).map(([character]) => character)
