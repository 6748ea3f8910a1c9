import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { badRequest, type Pace } from '@heddle/core-api/internal'
import { mayEscapeLoneSurrogate, replaceLoneSurrogates } from './lone-surrogates.ts'
import { parseLossless, parseLosslessPaced } from './parse-lossless.ts'
import { type JsonLimits, scanJson } from './scan-json.ts'

export interface JsonOptions extends Partial<JsonLimits> {
  /** What becomes of half a surrogate pair. Default `replace` (by U+FFFD); `keep` where a digest is taken over the text as sent. */
  loneSurrogates?: 'replace' | 'keep'
  /** Called once with the number of replaced halves, when there were any. */
  onLoneSurrogates?: (count: number) => void
}

/** Stored JSON may have any number of values: those of a request were counted on arrival. */
export const defaultJsonLimits: JsonLimits = { maxDepth: 200, maxKeys: 10_000, maxValues: Infinity }

/** Values that the native parser reads without a pause, in some 25 ms at worst, and those that the lossless one does. */
const nativeAtOnce = 100_000
const losslessAtOnce = 10_000

/**
 * Parses JSON and keeps its numbers: one that JavaScript would write differently (`1.0`, `1e3`, `-0`, integers beyond 2^53) is a `JsonNumber`.
 * The last of equal keys wins; `__proto__` is a key like any other.
 * @throws ApiError 422 naming the position where it is not JSON, 400 where it is not UTF-8 or an object has too many keys, 413 where it is too deep or has too many values
 */
export function parseJson(source: string | Uint8Array, options: JsonOptions = {}): unknown {
  const { text, isNative, repair, tellRepaired } = prepare(source, options)
  const value = isNative ? parseNative(text) : parseLossless(text, repair)
  tellRepaired()
  return value
}

/** The same, but yields to the event loop if the text has many values. @throws as `parseJson` */
export async function parseJsonPaced(source: string | Uint8Array, options: JsonOptions, pace: Pace): Promise<unknown> {
  const { text, isNative, values, repair, tellRepaired } = prepare(source, options)
  if (values > losslessAtOnce) await pace()
  const isAtOnce = values <= (isNative ? nativeAtOnce : losslessAtOnce)
  const atOnce = () => (isNative ? parseNative(text) : parseLossless(text, repair))
  const value = isAtOnce ? atOnce() : await parseLosslessPaced(text, repair, pace)
  tellRepaired()
  return value
}

interface Preparation {
  text: string
  /** Whether the native parser gives the same value. */
  isNative: boolean
  values: number
  /** For each string that was written with escapes. */
  repair: (string: string) => string
  /** To be called once all strings were read. */
  tellRepaired: () => void
}

function prepare(source: string | Uint8Array, options: JsonOptions): Preparation {
  const given = typeof source === 'string' ? source : decodeUtf8(source)
  const { maxDepth, maxKeys, maxValues } = { ...defaultJsonLimits, ...options }
  const { keepsNumbers, values } = scanJson(given, { maxDepth, maxKeys, maxValues })
  if (options.loneSurrogates === 'keep')
    return { text: given, isNative: keepsNumbers, values, repair: (string) => string, tellRepaired: () => undefined }
  let total = 0
  const repair = (string: string) => {
    const { text, count } = replaceLoneSurrogates(string)
    total += count
    return text
  }
  const text = repair(given)
  return {
    text,
    isNative: keepsNumbers && !mayEscapeLoneSurrogate(text),
    values,
    repair,
    tellRepaired: () => total > 0 && options.onLoneSurrogates?.(total),
  }
}

/** The native parser does not report the position in a stable form, so a rejected text is parsed again for the message. */
function parseNative(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseLossless(text, (string) => string)
  }
}

/** A leading byte order mark is dropped. */
function decodeUtf8(source: Uint8Array): string {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (!isUtf8(bytes)) throw badRequest('the request body is not valid UTF-8; send JSON in UTF-8')
  const text = bytes.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
