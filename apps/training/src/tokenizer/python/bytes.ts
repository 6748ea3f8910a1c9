import { Bytes, Callable, type CallArguments, orElse, plain, type Value } from './values.ts'
import { ChatTemplateError } from '../tokenizer-error.ts'

interface Coding {
  encoding: string
  errors: string
}

/** Highest code point of the encodings that have one. */
const highest: Readonly<Record<string, number>> = { ascii: 0x7f, usascii: 0x7f, latin1: 0xff, iso88591: 0xff, l1: 0xff }

const keyOf = (encoding: string) => encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const isUtf8 = (encoding: string) => ['utf8', 'u8', 'utf', 'cp65001'].includes(keyOf(encoding))

/** `str.encode`. @throws TypeError for a character that the encoding lacks; ChatTemplateError for an encoding that is not supported */
export function encode(text: string, { encoding, errors }: Coding): Bytes {
  const most = isUtf8(encoding) ? 0x10ffff : highestOf(encoding)
  const isEncoded = (code: number) => code <= most && (most < 0x100 || code < 0xd800 || code > 0xdfff)
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0)!
    return isEncoded(code) ? character : inPlaceOf(code, { encoding, errors })
  })
  return new Bytes(Buffer.from(parts.join(''), most < 0x100 ? 'latin1' : 'utf8'))
}

function highestOf(encoding: string): number {
  const key = keyOf(encoding)
  const most = Object.hasOwn(highest, key) ? highest[key] : undefined
  if (most === undefined) throw notSupported(`the encoding ${JSON.stringify(encoding)}`)
  return most
}

/** The replacement of a character that cannot be encoded. */
function inPlaceOf(code: number, { encoding, errors }: Coding): string {
  switch (errors) {
    case 'ignore':
      return ''
    case 'replace':
      return '?'
    case 'xmlcharrefreplace':
      return `&#${code};`
    case 'backslashreplace':
      return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
    case 'strict':
      throw new TypeError(`the encoding ${encoding} has no U+${hex(code, 4).toUpperCase()}`)
    default:
      throw notSupported(`the way ${JSON.stringify(errors)} to encode what an encoding lacks`)
  }
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

/** Attributes of bytes. @throws ChatTemplateError for a method that is not supported */
export function bytesAttribute(value: Bytes, name: string): Value | undefined {
  if (name === 'decode') return new Callable(name, (given) => decode(value.bytes, given))
  if (name === 'hex') return new Callable(name, () => Buffer.from(value.bytes).toString('hex'))
  if (Object.hasOwn(methods, name)) throw notSupported(`the method ${name} of bytes`)
  return undefined
}

function decode(bytes: Uint8Array, { placed, named }: CallArguments): string {
  const argument = (index: number, name: string, defaultValue: string) => {
    const value = plain(orElse(placed[index], orElse(named.get(name), defaultValue)))
    if (typeof value !== 'string') throw new TypeError(`decode() argument '${name}' must be str`)
    return value
  }
  const encoding = argument(0, 'encoding', 'utf-8')
  if (argument(1, 'errors', 'strict') !== 'strict') throw notSupported('decoding bytes with errors')
  if (isUtf8(encoding)) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  const most = highestOf(encoding)
  if (bytes.some((byte) => byte > most)) throw new TypeError(`the encoding ${encoding} does not have these bytes`)
  return Buffer.from(bytes).toString('latin1')
}

const names =
  'capitalize center count endswith expandtabs find fromhex index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip ' +
  'maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill'
const methods: Readonly<Record<string, true>> = Object.fromEntries(names.split(' ').map((name) => [name, true]))

function notSupported(what: string): ChatTemplateError {
  return new ChatTemplateError(`the chat template uses ${what}, which is not supported here`)
}
