import { ChatTemplateError } from '../tokenizer-error.ts'
import { assertLength } from '../template-limits.ts'
import { Dict, isList, plain, Range, Tuple, typeName, Undefined, type Value } from './values.ts'
import { fixedDecimal, generalDecimal, scientificDecimal } from './decimals.ts'
import { lengthOf } from './strings.ts'
import { floatText, reprOf, textOf } from './text-of.ts'

/** The parsed format specification of a value. */
interface Spec {
  fill: string
  /** `=` fills between sign and digits. */
  align: '<' | '>' | '^' | '='
  /** Of numbers that are not negative: `+`, a space, or nothing. */
  sign: string
  width: number
  precision: number | null
  /** Separator between groups of digits; empty for none. */
  grouping: string
  type: string
}

const refuse = (what: string): never => {
  throw new ChatTemplateError(`the chat template formats a text with ${what}, which is not supported here`)
}

/** None is a value, too. */
function orElseRefuse(value: Value | undefined, what: string): Value {
  return value === undefined ? refuse(what) : value
}

/** Whether Python treats it as a mapping here, which may have unused values. */
const isMapping = (value: Value) => isList(value) || [Dict, Range, Undefined].some((type) => value instanceof type)

const percentPlace = /%(?:\(([^)]*)\))?([-+ 0#]*)(\d*|\*)(?:\.(\d*))?[hlL]?([a-zA-Z%])/g

/**
 * Python's `text % value`: for a tuple each field takes one value, for a mapping those that it names. @throws ChatTemplateError for an unknown format
 */
export function formatPercent(text: string, value: Value): string {
  const values = value instanceof Tuple ? value.items : [value]
  let used = 0
  const next = () => orElseRefuse(values[used++], 'more places than values')
  const written = text.replaceAll(
    percentPlace,
    (place, key: string | undefined, flags: string, width: string, precision: string | undefined, type: string) => {
      if (type === '%') return '%'
      if (flags.includes('#') || width === '*' || !'srdiufFxXoeEgGc'.includes(type)) return refuse(JSON.stringify(place))
      const given = key === undefined ? next() : memberOf(value, key)
      const isNumber = 'diufFxXoeEgG'.includes(type)
      if (isNumber && !isNumeric(given)) throw new TypeError(`%${type} format: a real number is required, not ${typeName(given)}`)
      return write(given, {
        fill: flags.includes('0') && isNumber && !flags.includes('-') ? '0' : ' ',
        align: flags.includes('-') ? '<' : flags.includes('0') && isNumber ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
        width: boundedWidth(width),
        precision: precision === undefined ? null : boundedWidth(precision),
        grouping: '',
        type: 'iu'.includes(type) ? 'd' : type,
      })
    },
  )
  const isWhole = value instanceof Tuple ? used === values.length : used === 1 || isMapping(value)
  if (!isWhole) refuse('other than as many places as values')
  return written
}

const bracePlace = /\{\{|\}\}|\{(\w*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/g
const braceSpec = /^(?:(.)?([<>^=]))?([-+ ])?(0)?(\d*)([,_])?(?:\.(\d+))?([sdfFxXobeEgG%c])?$/su

/** Python's `str.format`, with its values by position and by name. @throws ChatTemplateError for an unknown format */
export function formatBraces(text: string, placed: readonly Value[], named: ReadonlyMap<string, Value>): string {
  let used = 0
  let isNumbered = false
  return text.replaceAll(bracePlace, (place, name: string | undefined, conversion: string | undefined, given: string | undefined) => {
    if (place === '{{' || place === '}}') return place[0]!
    if (name === undefined) return refuse(JSON.stringify(text))
    const key = name === '' ? String(used++) : name
    isNumbered ||= /^\d+$/.test(name)
    if (isNumbered && used > 0) throw new TypeError('places with and without a number cannot be mixed in a format')
    const value = orElseRefuse(/^\d+$/.test(key) ? placed[Number(key)] : named.get(key), `${place}, for which there is no value`)
    const read = braceSpec.exec(given ?? '')
    const written = converted(value, conversion)
    return read ? write(written, braceForm(written, read)) : refuse(JSON.stringify(place))
  })
}

function converted(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value
  return conversion === 'r' ? reprOf(value) : textOf(value)
}

function braceForm(value: Value, [whole, fill, align, sign, zero, width, grouping, precision, type]: RegExpExecArray): Spec {
  const isNumber = isNumeric(value) && typeof value !== 'boolean' && type !== 's'
  assertForm(value, { sign, grouping, align, precision, type, whole })
  // A boolean is formatted as a number if it has a format specification.
  const isWritten = isNumber || (typeof value === 'boolean' && type !== 's' && whole !== '')
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: (align as Spec['align'] | undefined) ?? (zero && isWritten ? '=' : isWritten ? '>' : '<'),
    sign: sign === '-' ? '' : (sign ?? ''),
    width: boundedWidth(width ?? ''),
    precision: precision === undefined ? null : boundedWidth(precision),
    grouping: grouping ?? '',
    type: type ?? (isWritten ? (typeof value === 'number' ? '' : 'd') : 's'),
  }
}

type FormatFields = Readonly<Record<'sign' | 'grouping' | 'align' | 'precision' | 'type' | 'whole', string | undefined>>

/** @throws TypeError for a form that values of this type do not have */
function assertForm(value: Value, { sign, grouping, align, precision, type, whole }: FormatFields): void {
  const text = plain(value)
  if (isNumeric(text)) {
    if (type === 's') throw new TypeError(`unknown format code 's' for object of type '${typeName(value)}'`)
    if (typeof text !== 'number' && precision !== undefined && (type === undefined || 'dxXob'.includes(type)))
      throw new TypeError('precision not allowed in integer format specifier')
    if (typeof text === 'number' && type !== undefined && 'dxXobc'.includes(type))
      throw new TypeError(`unknown format code '${type}' for object of type 'float'`)
    return
  }
  const isRefused = typeof text === 'string' ? (sign ?? grouping ?? (align === '=' || (type !== undefined && type !== 's'))) : whole !== ''
  if (isRefused) throw new TypeError(`unsupported format string '${whole}' for object of type '${typeName(value)}'`)
}

const isNumeric = (value: Value) => typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'

function memberOf(value: Value, key: string): Value {
  const member = value instanceof Dict ? value.get(key) : undefined
  return orElseRefuse(member, `%(${key}), for which there is no value`)
}

function boundedWidth(text: string): number {
  const width = Number(text)
  assertLength(width)
  return width
}

function write(value: Value, spec: Spec): string {
  const { type, precision } = spec
  if (type === 's' || type === 'r') {
    const text = type === 'r' ? reprOf(value) : textOf(value)
    return padded('', precision === null ? text : Array.from(text).slice(0, precision).join(''), spec)
  }
  if (type === 'c') return padded('', typeof value === 'string' ? value : String.fromCodePoint(Number(value)), spec)
  const number = typeof value === 'boolean' ? BigInt(value) : value
  if (typeof number === 'bigint') return writeNumber(number < 0n, wholeDigits(number < 0n ? -number : number, spec), spec)
  if (typeof number !== 'number') return refuse(`${JSON.stringify(type)} for ${reprOf(value)}`)
  const isNegative = number < 0 || Object.is(number, -0)
  return writeNumber(isNegative, floatDigits(Math.abs(number), spec), spec)
}

function writeNumber(isNegative: boolean, digits: string, spec: Spec): string {
  return padded(isNegative ? '-' : spec.sign, spec.grouping === '' ? digits : grouped(digits, spec), spec)
}

function wholeDigits(size: bigint, spec: Spec): string {
  switch (spec.type) {
    case 'd':
      return String(size).padStart(spec.precision ?? 0, '0')
    case 'x':
      return size.toString(16)
    case 'X':
      return size.toString(16).toUpperCase()
    case 'o':
      return size.toString(8)
    case 'b':
      return size.toString(2)
    default:
      return floatDigits(Number(size), spec)
  }
}

function floatDigits(size: number, { type, precision }: Spec): string {
  if (type === 'd') return Number.isFinite(size) ? String(BigInt(Math.trunc(size))) : refuse(`"d" for ${size}`)
  if (!Number.isFinite(size)) return `${floatText(size)}${type === '%' ? '%' : ''}`
  const places = precision ?? 6
  if (places > maxDecimals) return refuse(`${places} decimal places`)
  switch (type) {
    case 'f':
    case 'F':
      return fixedDecimal(size, places)
    case '%':
      return `${fixedDecimal(size * 100, places)}%`
    case 'e':
      return scientificDecimal(size, places)
    case 'E':
      return scientificDecimal(size, places).toUpperCase()
    case 'g':
      return generalDecimal(size, places, false)
    case 'G':
      return generalDecimal(size, places, false).toUpperCase()
    case '':
      return precision === null ? floatText(size) : generalDecimal(size, precision, true)
    default:
      return refuse(`${JSON.stringify(type)} for a number with a fraction`)
  }
}

const maxDecimals = 1_000

const grouped = (digits: string, { grouping, type }: Spec) =>
  digits.replace(/^[\da-fA-F]+/, (whole) =>
    whole.replaceAll('xXob'.includes(type) && type !== '' ? /\B(?=(?:.{4})+$)/g : /\B(?=(?:\d{3})+$)/g, grouping),
  )

function padded(sign: string, text: string, { fill, align, width }: Spec): string {
  const missing = Math.max(0, width - lengthOf(sign + text))
  assertLength(text.length + missing * fill.length)
  if (align === '=') return sign + fill.repeat(missing) + text
  const before = align === '<' ? 0 : align === '>' ? missing : Math.floor(missing / 2)
  return fill.repeat(before) + sign + text + fill.repeat(missing - before)
}
