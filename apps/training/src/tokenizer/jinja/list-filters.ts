import { joinTexts } from '../python/strings.ts'
import { textOf } from '../python/text-of.ts'
import { assertElements } from '../template-limits.ts'
import { ChatTemplateError } from '../tokenizer-error.ts'
import { compareValues, equal } from '../python/compare.ts'
import { type NamedArguments, wholeNumber } from './filter-arguments.ts'
import type { Filter, FilterContext } from './filter.ts'
import { itemOf, plainAttribute } from './members.ts'
import { applyBinary } from './operators.ts'
import { Dict, Generator, isTrue, iterate, lengthOfValue, orElse, plain, Tuple, typeName, Undefined, type Value } from '../python/values.ts'

/** Jinja's filters of lists, dictionaries, and values of any kind. */
export const listFilters: Readonly<Record<string, Filter>> = {
  attr: { parameters: ['name'], apply: (value, { name }) => attributeAlone(value, textOf(orElse(name, ''))) },
  batch: { parameters: ['linecount', 'fill_with'], apply: (value, args) => new Generator(batches(list(value), args)) },
  count: { parameters: [], apply: length },
  d: { parameters: ['default_value', 'boolean'], apply: withDefault },
  default: { parameters: ['default_value', 'boolean'], apply: withDefault },
  dictsort: { parameters: ['case_sensitive', 'by', 'reverse'], apply: sortDict },
  first: { parameters: [], apply: (value) => orElse(first(value), new Undefined('No first item, sequence was empty.')) },
  groupby: { parameters: ['attribute', 'default', 'case_sensitive'], apply: groupBy },
  items: { parameters: [], apply: (value) => new Generator(pairs(value)) },
  join: { parameters: ['d', 'attribute'], apply: join },
  last: { parameters: [], apply: (value) => orElse(backwards(value)[0], new Undefined('No last item, sequence was empty.')) },
  length: { parameters: [], apply: length },
  list: { parameters: [], apply: list },
  map: { parameters: null, apply: (value, _args, context) => new Generator(mapped(value, context)) },
  max: { parameters: ['case_sensitive', 'attribute'], apply: (value, args) => extreme(value, args, 1) },
  min: { parameters: ['case_sensitive', 'attribute'], apply: (value, args) => extreme(value, args, -1) },
  random: { parameters: null, apply: refuseRandom },
  reject: {
    parameters: null,
    apply: (value, _args, context) => new Generator(selected(value, context, { wanted: false, byAttribute: false })),
  },
  rejectattr: {
    parameters: null,
    apply: (value, _args, context) => new Generator(selected(value, context, { wanted: false, byAttribute: true })),
  },
  reverse: { parameters: [], apply: reverse },
  select: {
    parameters: null,
    apply: (value, _args, context) => new Generator(selected(value, context, { wanted: true, byAttribute: false })),
  },
  selectattr: {
    parameters: null,
    apply: (value, _args, context) => new Generator(selected(value, context, { wanted: true, byAttribute: true })),
  },
  slice: { parameters: ['slices', 'fill_with'], apply: (value, args) => new Generator(slices(list(value), args)) },
  sort: { parameters: ['reverse', 'case_sensitive', 'attribute'], apply: sort },
  sum: { parameters: ['attribute', 'start'], apply: sum },
  unique: { parameters: ['case_sensitive', 'attribute'], apply: (value, args) => new Generator(unique(value, args)) },
}

function refuseRandom(): never {
  throw new ChatTemplateError(
    "the chat template uses the filter 'random', which is not supported: a prompt that depends on chance can be neither repeated nor trained on",
  )
}

function list(value: Value): Value[] {
  const elements = [...iterate(value)]
  assertElements(elements.length)
  return elements
}

function first(value: Value): Value | undefined {
  for (const element of iterate(value)) return element
  return undefined
}

function length(value: Value): Value {
  const found = lengthOfValue(value)
  if (found === null) throw new TypeError(`object of type '${typeName(value)}' has no len()`)
  return BigInt(found)
}

function withDefault(value: Value, { default_value: defaultValue = '', boolean = false }: NamedArguments): Value {
  return value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? defaultValue : value
}

function attributeAlone(value: Value, name: string): Value {
  return orElse(plainAttribute(value, name), new Undefined(`'${typeName(value)} object' has no attribute '${name}'`))
}

/** @throws TypeError for a value that cannot be iterated from its end */
function backwards(value: Value): Value[] {
  if (value instanceof Generator) throw new TypeError("'generator' object is not reversible")
  return list(value).toReversed()
}

function reverse(value: Value): Value {
  if (typeof value === 'string') return Array.from(value).toReversed().join('')
  return new Generator(list(value).toReversed())
}

function* pairs(value: Value): Iterable<Value> {
  if (value instanceof Undefined) return
  if (!(value instanceof Dict)) throw new TypeError('Can only get item pairs from a mapping.')
  for (const entry of value.entries()) yield new Tuple(entry)
}

/** Reads an attribute by its path, in which numbers are indexes. */
function attributeReader(attribute: Value | undefined, defaultValue?: Value): (value: Value) => Value {
  if (attribute === undefined || attribute === null) return (value) => value
  const parts = typeof attribute === 'string' ? attribute.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)) : [attribute]
  return (value) => {
    let at = value
    for (const part of parts) {
      at = itemOf(at, part)
      if (at instanceof Undefined && defaultValue !== undefined) at = defaultValue
    }
    return at
  }
}

function withoutCase(value: Value): Value {
  const text = plain(value)
  return typeof text === 'string' ? text.toLowerCase() : value
}

/** What elements are compared by. */
function keyReader({ attribute, case_sensitive: isSensitive = false }: NamedArguments): (value: Value) => Value {
  const read = attributeReader(attribute)
  return isTrue(isSensitive) ? read : (value) => withoutCase(read(value))
}

/** For `sort`, whose attribute may name several, with commas between them. */
function keysReader(args: NamedArguments): (value: Value) => Value {
  const { attribute } = args
  const paths = typeof attribute === 'string' ? attribute.split(',') : [orElse(attribute, null)]
  const readers = paths.map((path) => keyReader({ ...args, attribute: path }))
  return (value) => readers.map((read) => read(value))
}

const inOrder = (left: Value, right: Value) => compareValues(left, right) ?? 0

function sortedBy(values: readonly Value[], key: (value: Value) => Value, isReversed: boolean): Value[] {
  const sign = isReversed ? -1 : 1
  return values
    .map((value) => ({ value, key: key(value) }))
    .toSorted((left, right) => sign * inOrder(left.key, right.key))
    .map(({ value }) => value)
}

function sort(value: Value, args: NamedArguments): Value {
  return sortedBy(list(value), keysReader(args), isTrue(orElse(args['reverse'], false)))
}

function sortDict(value: Value, { case_sensitive: isSensitive = false, by = 'key', reverse: isReversed = false }: NamedArguments): Value {
  if (!(value instanceof Dict)) throw new TypeError(`'${typeName(value)}' object has no items`)
  if (by !== 'key' && by !== 'value') throw new TypeError('You can only sort by either "key" or "value"')
  const place = by === 'key' ? 0 : 1
  const key = (pair: Value) => {
    const part = (pair as Tuple).items[place]!
    return isTrue(isSensitive) ? part : withoutCase(part)
  }
  return sortedBy([...pairs(value)], key, isTrue(isReversed))
}

function extreme(value: Value, args: NamedArguments, sign: 1 | -1): Value {
  const key = keyReader(args)
  let found: Value | undefined
  for (const element of iterate(value)) if (found === undefined || sign * inOrder(key(element), key(found)) > 0) found = element
  return orElse(found, new Undefined('No aggregated item, sequence was empty.'))
}

function* unique(value: Value, args: NamedArguments): Iterable<Value> {
  const key = keyReader(args)
  const seen = new Dict()
  for (const element of iterate(value)) {
    const at = key(element)
    if (seen.has(at)) continue
    seen.set(at, null)
    yield element
  }
}

function groupBy(value: Value, args: NamedArguments): Value {
  const { attribute, default: defaultValue, case_sensitive: isSensitive = false } = args
  const read = attributeReader(attribute, defaultValue)
  const key = (element: Value) => (isTrue(isSensitive) ? read(element) : withoutCase(read(element)))
  const groups: { key: Value; values: Value[] }[] = []
  for (const element of sortedBy(list(value), key, false)) {
    const at = key(element)
    const last = groups.at(-1)
    if (last && equal(last.key, at)) last.values.push(element)
    else groups.push({ key: at, values: [element] })
  }
  return groups.map((group) => new Tuple([isTrue(isSensitive) ? group.key : read(group.values[0]!), group.values], ['grouper', 'list']))
}

function join(value: Value, { d: between = '', attribute }: NamedArguments): Value {
  const read = attributeReader(attribute)
  return joinTexts(
    Array.from(iterate(value), (element) => textOf(read(element))),
    textOf(between),
  )
}

function sum(value: Value, { attribute, start = 0n }: NamedArguments): Value {
  const read = attributeReader(attribute)
  let total = start
  if (typeof total === 'string') throw new TypeError("sum() can't sum strings [use ''.join(seq) instead]")
  for (const element of iterate(value)) total = applyBinary('+', total, read(element))
  return total
}

function* batches(values: readonly Value[], { linecount, fill_with: filler = null }: NamedArguments): Iterable<Value> {
  const size = wholeNumber(linecount, 0)
  if (size <= 0) throw new TypeError('batch needs a number of elements above 0')
  assertElements(size)
  for (let at = 0; at < values.length; at += size) {
    const batch = values.slice(at, at + size)
    yield filler === null ? batch : [...batch, ...Array<Value>(size - batch.length).fill(filler)]
  }
}

function* slices(values: readonly Value[], { slices: given, fill_with: filler = null }: NamedArguments): Iterable<Value> {
  const count = wholeNumber(given, 0)
  if (count <= 0) throw new RangeError('integer division or modulo by zero')
  assertElements(count)
  const [size, longer] = [Math.floor(values.length / count), values.length % count]
  for (let at = 0, from = 0; at < count; at += 1) {
    const to = from + size + (at < longer ? 1 : 0)
    const part = values.slice(from, to)
    yield filler !== null && at >= longer ? [...part, filler] : part
    from = to
  }
}

function* mapped(value: Value, { calls, given: { placed, named } }: FilterContext): Iterable<Value> {
  if (!isTrue(value)) return
  if (placed.length === 0 && named.has('attribute')) {
    const read = attributeReader(named.get('attribute'), named.get('default'))
    for (const element of iterate(value)) yield read(element)
    return
  }
  const [name, ...args] = placed
  if (typeof name !== 'string') throw new TypeError('map requires a filter argument')
  for (const element of iterate(value)) yield calls.filter(name, element, { placed: args, named })
}

interface Selection {
  wanted: boolean
  byAttribute: boolean
}

function* selected(value: Value, { calls, given: { placed, named } }: FilterContext, { wanted, byAttribute }: Selection): Iterable<Value> {
  if (!isTrue(value)) return
  if (byAttribute && placed.length === 0) throw new TypeError('Missing parameter for attribute name')
  const read = byAttribute ? attributeReader(placed[0]) : (element: Value) => element
  const [name, ...args] = byAttribute ? placed.slice(1) : placed
  if (name !== undefined && typeof name !== 'string') throw new TypeError('the name of a test must be a text')
  for (const element of iterate(value)) {
    const tested = read(element)
    const holds = name === undefined ? isTrue(tested) : calls.test(name, tested, { placed: args, named })
    if (holds === wanted) yield element
  }
}
