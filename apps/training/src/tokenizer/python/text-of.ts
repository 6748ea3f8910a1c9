import {
  Bytes,
  Callable,
  Dict,
  DictView,
  Generator,
  isList,
  Markup,
  Namespace,
  Range,
  Tuple,
  Undefined,
  type Value,
  WithAttributes,
} from './values.ts'
import { assertLength } from '../template-limits.ts'

/** What Python's `str` makes of a value of a template. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof Markup) return value.html
  return value instanceof Undefined ? '' : reprOf(value)
}

/** What Python's `repr` makes of it. */
export function reprOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'boolean':
      return value ? 'True' : 'False'
    case 'bigint':
      return String(value)
    case 'number':
      return floatText(value)
    default:
      return value === null ? 'None' : reprOfObject(value)
  }
}

function reprOfObject(value: Exclude<Value, string | boolean | bigint | number | null>): string {
  if (value instanceof Markup) return `Markup(${quote(value.html)})`
  if (isList(value)) return `[${reprsOf(value)}]`
  if (value instanceof Bytes) return `b${quoteBytes(value.bytes)}`
  if (value instanceof Tuple) return value.items.length === 1 ? `(${reprOf(value.items[0]!)},)` : `(${reprsOf(value.items)})`
  if (value instanceof Dict) return `{${entriesOf(value)}}`
  if (value instanceof DictView) return `dict_${value.kind}([${reprsOf(value.list())}])`
  if (value instanceof Range) return `range(${value.start}, ${value.stop}${value.step === 1n ? '' : `, ${value.step}`})`
  if (value instanceof Namespace) return `<Namespace ${reprOf(value.values)}>`
  if (value instanceof Undefined) return 'Undefined'
  if (value instanceof Generator) return '<generator object>'
  return value instanceof WithAttributes ? value.text : value instanceof Callable ? `<function ${value.name}>` : '<object>'
}

function reprsOf(values: readonly Value[]): string {
  return joined(values.map(reprOf))
}

function entriesOf(dict: Dict): string {
  return joined(Array.from(dict.entries(), ([key, value]) => `${reprOf(key)}: ${reprOf(value)}`))
}

function joined(texts: readonly string[]): string {
  assertLength(texts.reduce((sum, text) => sum + text.length + 2, 0))
  return texts.join(', ')
}

/** The shortest digits that read back the same, with an exponent from 1e16 on and below 1e-4. */
export function floatText(number: number): string {
  if (Number.isNaN(number)) return 'nan'
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  if (Object.is(number, -0)) return '-0.0'
  const size = Math.abs(number)
  if (size === 0 || (size >= 1e-4 && size < 1e16)) {
    const text = size < 1e-6 || size >= 1e21 ? number.toFixed() : String(number)
    return /[.]/.test(text) ? text : `${text}.0`
  }
  const [digits, exponent] = number.toExponential().split('e')
  return `${digits}e${exponent!.replace(/^([+-])(\d)$/, '$10$2')}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = Array.from(text, (character) => {
    if (character === mark) return `\\${mark}`
    const known = escapes[character]
    if (known !== undefined) return known
    return character !== ' ' && /[\p{C}\p{Z}]/u.test(character) ? escapeOf(character.codePointAt(0)!) : character
  })
  return mark + escaped.join('') + mark
}

function quoteBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = Array.from(text, (character) => {
    if (character === mark) return `\\${mark}`
    return escapes[character] ?? (/[ -~]/.test(character) ? character : escapeOf(character.charCodeAt(0)))
  })
  return mark + escaped.join('') + mark
}

function escapeOf(code: number): string {
  const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
  return `\\${letter}${code.toString(16).padStart(digits as number, '0')}`
}
