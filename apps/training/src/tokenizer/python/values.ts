/**
 * Values of a template, as in Python: integers are `bigint`, floats `number`, so that 1 and 1.0 are distinguished and no digit of a large integer is
 * lost.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Markup
  | Bytes
  | Tuple
  | Dict
  | DictView
  | Range
  | Generator
  | Namespace
  | Callable
  | WithAttributes
  | Undefined

/** A text that is HTML already: texts joined to it are escaped. */
export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

/** What encoding a text makes. */
export class Bytes {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The numbers of its bytes. */
  list(): bigint[] {
    return Array.from(this.bytes, BigInt)
  }
}

export class Tuple {
  readonly items: readonly Value[]
  /** Attributes that name items, as `grouper` and `list` of a group. */
  readonly names: readonly string[]

  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items
    this.names = names
  }
}

/** A value that is not there. Most uses of it fail with the reason. */
export class Undefined {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

export class Namespace {
  readonly values: Dict

  constructor(values: Dict) {
    this.values = values
  }
}

export interface CallArguments {
  readonly placed: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export class Callable {
  readonly name: string
  readonly call: (given: CallArguments) => Value

  constructor(name: string, call: (given: CallArguments) => Value) {
    this.name = name
    this.call = call
  }
}

/** An object of the engine with attributes, such as `loop`, which may be callable. */
export class WithAttributes {
  readonly text: string
  readonly attribute: (name: string) => Value | undefined
  readonly call: ((given: CallArguments) => Value) | null

  constructor(text: string, attribute: (name: string) => Value | undefined, call: ((given: CallArguments) => Value) | null = null) {
    this.text = text
    this.attribute = attribute
    this.call = call
  }
}

export class Range {
  readonly start: bigint
  readonly stop: bigint
  readonly step: bigint

  constructor({ start, stop, step }: { start: bigint; stop: bigint; step: bigint }) {
    this.start = start
    this.stop = stop
    this.step = step
  }

  get length(): number {
    const span = this.step > 0n ? this.stop - this.start : this.start - this.stop
    const size = this.step > 0n ? this.step : -this.step
    return span <= 0n ? 0 : Number((span + size - 1n) / size)
  }

  at(place: number): bigint {
    return this.start + BigInt(place) * this.step
  }
}

/** The result of filters such as `map` and `select`: it can be iterated once. */
export class Generator implements Iterable<Value> {
  readonly #iterator: Iterator<Value>

  constructor(values: Iterable<Value>) {
    this.#iterator = values[Symbol.iterator]()
  }

  [Symbol.iterator](): Iterator<Value> {
    // Without `return`: a loop that ends early leaves the rest for the next one.
    return { next: () => this.#iterator.next() }
  }
}

/** What `keys`, `values` and `items` of a dictionary give. */
export class DictView {
  readonly kind: 'keys' | 'values' | 'items'
  readonly dict: Dict

  constructor(kind: 'keys' | 'values' | 'items', dict: Dict) {
    this.kind = kind
    this.dict = dict
  }

  list(): Value[] {
    if (this.kind === 'keys') return [...this.dict.keys()]
    if (this.kind === 'values') return [...this.dict.values()]
    return [...this.dict.entries()].map((entry) => new Tuple(entry))
  }
}

type Hash = string | bigint | number | null

/** Keys keep the order of their first insertion; keys that are equal in Python, such as 1, 1.0 and true, are one. */
export class Dict {
  readonly #entries = new Map<Hash, [Value, Value]>()

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#entries.size
  }

  /** @throws TypeError for an invalid key, such as a list */
  get(key: Value): Value | undefined {
    return this.#entries.get(hashOf(key))?.[1]
  }

  has(key: Value): boolean {
    return this.#entries.has(hashOf(key))
  }

  set(key: Value, value: Value): void {
    const hash = hashOf(key)
    const found = this.#entries.get(hash)
    if (found) found[1] = value
    else this.#entries.set(hash, [key, value])
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key
  }

  *values(): Iterable<Value> {
    for (const [, value] of this.#entries.values()) yield value
  }

  entries(): Iterable<readonly [Value, Value]> {
    return this.#entries.values()
  }
}

/** @throws TypeError for a value that cannot be a key of a dictionary */
export function assertKey(value: Value): void {
  hashOf(value)
}

function hashOf(given: Value): Hash {
  const key = plain(given)
  switch (typeof key) {
    case 'string':
    case 'bigint':
      return key
    case 'boolean':
      return key ? 1n : 0n
    case 'number':
      return Number.isInteger(key) ? BigInt(key) : key
    default:
      if (key === null) return key
      if (key instanceof Undefined) return '\0undefined'
      if (key instanceof Bytes) return `\0bytes${key.bytes.join()}`
      if (key instanceof Range) return `\0range${key.start},${key.stop},${key.step}`
      if (key instanceof Tuple) return `\0tuple${JSON.stringify(key.items.map((item) => [typeof item, String(hashOf(item))]))}`
      throw new TypeError(`unhashable type: '${typeName(key)}'`)
  }
}

/** A text that is marked as HTML as the text that it is. */
export function plain(value: Value): Exclude<Value, Markup> {
  return value instanceof Markup ? value.html : value
}

/** The first value, or else the other one; None is a value. */
export function orElse(value: Value | undefined, other: Value): Value {
  return value === undefined ? other : value
}

/** The name of the value's type in Python. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'bigint':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return value === null ? 'NoneType' : nameOfObject(value)
  }
}

function nameOfObject(value: object): string {
  if (Array.isArray(value)) return 'list'
  if (value instanceof Bytes) return 'bytes'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Dict) return 'dict'
  if (value instanceof DictView) return `dict_${value.kind}`
  if (value instanceof Range) return 'range'
  if (value instanceof Generator) return 'generator'
  if (value instanceof Undefined) return 'Undefined'
  if (value instanceof Markup) return 'Markup'
  return value instanceof Namespace ? 'Namespace' : 'function'
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** Python's truth of a value. */
export function isTrue(given: Value): boolean {
  const value = plain(given)
  if (typeof value !== 'object' || value === null) return Boolean(value)
  if (isList(value)) return value.length > 0
  if (value instanceof Bytes) return value.bytes.length > 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Dict) return value.size > 0
  if (value instanceof DictView) return value.dict.size > 0
  if (value instanceof Range) return value.length > 0
  return !(value instanceof Undefined)
}

/** Elements of an iterable value; null for others. */
export function elementsOf(given: Value): Iterable<Value> | null {
  const value = plain(given)
  if (typeof value === 'string') return Array.from(value)
  if (typeof value !== 'object' || value === null) return null
  if (isList(value)) return value
  if (value instanceof Bytes) return value.list()
  if (value instanceof Tuple) return value.items
  if (value instanceof Dict) return value.keys()
  if (value instanceof DictView) return value.list()
  if (value instanceof Range) return rangeElements(value)
  if (value instanceof Generator) return value
  return value instanceof Undefined ? [] : null
}

function* rangeElements(range: Range): Iterable<Value> {
  for (let index = 0; index < range.length; index += 1) yield range.at(index)
}

/** @throws TypeError for a value that is not iterable */
export function iterate(value: Value): Iterable<Value> {
  const elements = elementsOf(value)
  if (elements === null) throw new TypeError(`'${typeName(value)}' object is not iterable`)
  return elements
}

/** Length of a value that has one in Python; null for other values. */
export function lengthOfValue(given: Value): number | null {
  const value = plain(given)
  if (typeof value === 'string') return Array.from(value).length
  if (typeof value !== 'object' || value === null) return null
  if (isList(value)) return value.length
  if (value instanceof Bytes) return value.bytes.length
  if (value instanceof Tuple) return value.items.length
  if (value instanceof Dict) return value.size
  if (value instanceof DictView) return value.dict.size
  if (value instanceof Range) return value.length
  return value instanceof Undefined ? 0 : null
}
