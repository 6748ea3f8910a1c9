import * as cases from './case.ts'
import * as strings from './strings.ts'

/** What a method gets: values of the template without their wrapping; objects and named arguments are maps, and lists hold wrapped values. */
export type Argument = unknown

export type Result = string | number | boolean | string[]

type Method = (text: string, args: Arguments) => Result

/** The arguments of a call, by their place or name. */
class Arguments {
  readonly #placed: readonly Argument[]
  readonly #named: ReadonlyMap<string, { value: unknown }>

  constructor(args: readonly Argument[]) {
    const last = args.at(-1)
    this.#named = last instanceof Map ? (last as Map<string, { value: unknown }>) : new Map()
    this.#placed = last instanceof Map ? args.slice(0, -1) : args
  }

  /** Null where it is left out, or none. */
  get(place: number, name: string): unknown {
    return this.#placed[place] ?? this.#named.get(name)?.value ?? null
  }

  text(place: number, name: string): string {
    const value = this.get(place, name)
    if (typeof value === 'string') return value
    throw new TypeError(`argument ${place + 1} (${name}) must be a text`)
  }

  textOrNull(place: number, name: string): string | null {
    return this.get(place, name) === null ? null : this.text(place, name)
  }

  integer(place: number, name: string, usual?: number): number {
    const value = this.get(place, name) ?? usual
    if (Number.isInteger(value)) return value as number
    throw new TypeError(`argument ${place + 1} (${name}) must be an integer`)
  }

  flag(place: number, name: string): boolean {
    return this.get(place, name) === true
  }

  /** A text, or several in a tuple. */
  texts(place: number, name: string): string[] {
    const value = this.get(place, name)
    if (typeof value === 'string') return [value]
    if (Array.isArray(value)) return listOfTexts(value as { value: unknown }[])
    throw new TypeError(`argument ${place + 1} (${name}) must be a text or a tuple of texts`)
  }

  /** Start and end of a part, from this place on. */
  range(place: number): [number | null, number | null] {
    const at = (offset: number) => (this.get(place + offset, '') === null ? null : this.integer(place + offset, ''))
    return [at(0), at(1)]
  }
}

function listOfTexts(values: readonly { value: unknown }[]): string[] {
  return values.map(({ value }) => {
    if (typeof value === 'string') return value
    throw new TypeError('a list of texts holds something else')
  })
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

/** Methods of Python's `str` that templates may call. */
export const stringMethods: Readonly<Record<string, Method>> = {
  capitalize: cases.capitalize,
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
  islower: cases.isLower,
  isnumeric: cases.isNumeric,
  isspace: cases.isSpace,
  istitle: cases.isTitle,
  isupper: cases.isUpper,
  join: (text, args) => {
    const list = args.get(0, 'iterable')
    if (typeof list === 'string') return strings.joinTexts(Array.from(list), text)
    if (Array.isArray(list)) return strings.joinTexts(listOfTexts(list as { value: unknown }[]), text)
    throw new TypeError('join needs a list of texts')
  },
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

/** @throws TypeError for arguments that the method does not take */
export function callStringMethod(name: string, text: string, args: readonly Argument[]): Result {
  return stringMethods[name]!(text, new Arguments(args))
}
