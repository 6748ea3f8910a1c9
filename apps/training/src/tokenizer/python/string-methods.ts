import { type CallArguments, Dict, elementsOf, orElse, plain, Tuple, type Value } from './values.ts'
import { encode } from './bytes.ts'
import * as cases from './case.ts'
import { assertElements } from '../template-limits.ts'
import { formatBraces } from './formats.ts'
import * as strings from './strings.ts'
import { makeTranslation, translate } from './translation.ts'

type Result = string | number | boolean | readonly string[]

type Method = (text: string, args: Arguments) => Result

/** The arguments of a call, by position or name. */
class Arguments {
  readonly #given: CallArguments

  constructor(given: CallArguments) {
    this.#given = given
  }

  /** Null if it is omitted, or none. */
  get(place: number, name: string): Value {
    return plain(orElse(this.#given.placed[place], orElse(this.#given.named.get(name), null)))
  }

  text(place: number, name: string): string {
    const value = this.get(place, name)
    if (typeof value === 'string') return value
    throw new TypeError(`argument ${place + 1} (${name}) must be a text`)
  }

  textOrNull(place: number, name: string): string | null {
    return this.get(place, name) === null ? null : this.text(place, name)
  }

  integer(place: number, name: string, defaultValue?: number): number {
    const value = this.get(place, name)
    if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
    if (value === null && defaultValue !== undefined) return defaultValue
    throw new TypeError(`argument ${place + 1} (${name}) must be an integer`)
  }

  flag(place: number, name: string): boolean {
    const value = this.get(place, name)
    return typeof value === 'bigint' ? value !== 0n : value === true
  }

  /** A text, or several in a tuple. */
  texts(place: number, name: string): string[] {
    const value = this.get(place, name)
    if (typeof value === 'string') return [value]
    if (value instanceof Tuple) return value.items.map(asText)
    throw new TypeError(`argument ${place + 1} (${name}) must be a text or a tuple of texts`)
  }

  /** Texts of an iterable argument. */
  elements(place: number, name: string): string[] {
    const elements = elementsOf(this.get(place, name))
    if (elements === null) throw new TypeError(`argument ${place + 1} (${name}) must be a list of texts`)
    return Array.from(elements, asText)
  }

  /** Start and end of a part, from this argument on. */
  range(place: number): [number | null, number | null] {
    const at = (offset: number) => (this.get(place + offset, '') === null ? null : this.integer(place + offset, ''))
    return [at(0), at(1)]
  }
}

function asText(given: Value): string {
  const value = plain(given)
  if (typeof value === 'string') return value
  throw new TypeError('a list of texts holds something else')
}

/** Whether a part of the text begins or ends with one of some texts. */
const touches =
  (side: 'start' | 'end'): Method =>
  (text, args) => {
    const range = strings.between(text, ...args.range(1))
    const wanted = args.texts(0, 'prefix')
    return range !== null && wanted.some((each) => (side === 'start' ? range.part.startsWith(each) : range.part.endsWith(each)))
  }

const padded =
  (alignment: strings.Alignment): Method =>
  (text, args) =>
    strings.pad(text, args.integer(0, 'width'), args.textOrNull(1, 'fillchar') ?? ' ', alignment)

const found =
  (from: 'start' | 'end', isNeeded: boolean): Method =>
  (text, args) => {
    const place = strings.find(text, args.text(0, 'sub'), from, args.range(1))
    if (place < 0 && isNeeded) throw new Error('substring not found')
    return place
  }

/** Methods of Python's `str` whose results are plain. */
const plainMethods: Readonly<Record<string, Method>> = {
  capitalize: cases.capitalize,
  casefold: cases.caseFold,
  center: padded('center'),
  count: (text, args) => {
    const range = strings.between(text, ...args.range(1))
    return range === null ? 0 : strings.count(range.part, args.text(0, 'sub'))
  },
  endswith: touches('end'),
  expandtabs: (text, args) => strings.expandTabs(text, args.integer(0, 'tabsize', 8)),
  find: found('start', false),
  index: found('start', true),
  isalnum: cases.isAlphanumeric,
  isalpha: cases.isAlphabetic,
  isascii: cases.isAscii,
  isdecimal: cases.isDecimal,
  isdigit: cases.isDigit,
  isidentifier: cases.isIdentifier,
  islower: cases.isLower,
  isnumeric: cases.isNumeric,
  isprintable: cases.isPrintable,
  isspace: cases.isSpace,
  istitle: cases.isTitle,
  isupper: cases.isUpper,
  join: (text, args) => strings.joinTexts(args.elements(0, 'iterable'), text),
  ljust: padded('left'),
  lower: (text) => text.toLowerCase(),
  lstrip: (text, args) => strings.strip(text, args.textOrNull(0, 'chars'), 'left'),
  partition: (text, args) => strings.partition(text, args.text(0, 'sep')),
  removeprefix: (text, args) => {
    const prefix = args.text(0, 'prefix')
    return text.startsWith(prefix) ? text.slice(prefix.length) : text
  },
  removesuffix: (text, args) => {
    const suffix = args.text(0, 'suffix')
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  },
  replace: (text, args) => strings.replace(text, args.text(0, 'old'), args.text(1, 'new'), args.integer(2, 'count', -1)),
  rfind: found('end', false),
  rindex: found('end', true),
  rjust: padded('right'),
  rpartition: (text, args) => strings.partitionFromEnd(text, args.text(0, 'sep')),
  rsplit: (text, args) => strings.splitFromEnd(text, args.textOrNull(0, 'sep'), args.integer(1, 'maxsplit', -1)),
  rstrip: (text, args) => strings.strip(text, args.textOrNull(0, 'chars'), 'right'),
  split: (text, args) => strings.split(text, args.textOrNull(0, 'sep'), args.integer(1, 'maxsplit', -1)),
  splitlines: (text, args) => strings.splitLines(text, args.flag(0, 'keepends')),
  startswith: touches('start'),
  strip: (text, args) => strings.strip(text, args.textOrNull(0, 'chars'), 'both'),
  swapcase: cases.swapCase,
  title: cases.title,
  upper: (text) => text.toUpperCase(),
  zfill: (text, args) => strings.fillWithZeros(text, args.integer(0, 'width')),
}

const partitions: ReadonlySet<string> = new Set(['partition', 'rpartition'])

/** Methods that accept or return values that are not plain. */
const otherMethods: Readonly<Record<string, (text: string, given: CallArguments) => Value>> = {
  encode: (text, given) => {
    const args = new Arguments(given)
    return encode(text, { encoding: args.textOrNull(0, 'encoding') ?? 'utf-8', errors: args.textOrNull(1, 'errors') ?? 'strict' })
  },
  format: (text, { placed, named }) => formatBraces(text, placed, named),
  format_map: (text, { placed }) => formatBraces(text, [], namedValues(placed[0])),
  maketrans: (_, { placed }) => makeTranslation(placed),
  translate: (text, { placed }) => translate(text, placed[0]),
}

/** Whether Python's `str` has this method and templates may call it. */
export function isStringMethod(name: string): boolean {
  return Object.hasOwn(otherMethods, name) || Object.hasOwn(plainMethods, name)
}

/** @throws TypeError for arguments that the method does not take */
export function callStringMethod(name: string, text: string, given: CallArguments): Value {
  const other = Object.hasOwn(otherMethods, name) ? otherMethods[name] : undefined
  if (other) return other(text, given)
  const result = plainMethods[name]!(text, new Arguments(given))
  if (typeof result === 'number') return BigInt(result)
  if (typeof result === 'string' || typeof result === 'boolean') return result
  assertElements(result.length)
  return partitions.has(name) ? new Tuple(result) : result
}

function namedValues(mapping: Value | undefined): ReadonlyMap<string, Value> {
  if (!(mapping instanceof Dict)) throw new TypeError('format_map needs a mapping')
  return new Map([...mapping.entries()].flatMap(([key, value]) => (typeof key === 'string' ? [[key, value] as const] : [])))
}
