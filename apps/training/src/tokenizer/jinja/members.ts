import { bytesAttribute } from '../python/bytes.ts'
import { callStringMethod, isStringMethod } from '../python/string-methods.ts'
import { escapeHtml } from './escape-html.ts'
import { equal } from '../python/compare.ts'
import {
  Bytes,
  Callable,
  type CallArguments,
  Dict,
  DictView,
  isList,
  iterate,
  lengthOfValue,
  Markup,
  Namespace,
  orElse,
  plain,
  Range,
  Tuple,
  typeName,
  Undefined,
  type Value,
  WithAttributes,
} from '../python/values.ts'

/** `object.name`: an attribute, or else an item with this key. Undefined if there is neither. */
export function attributeOf(object: Value, name: string): Value {
  const found = plainAttribute(object, name)
  return found === undefined ? orElse(itemIn(object, name), missing(object, name)) : found
}

/** `object[key]`: an item, or else an attribute with this name. */
export function itemOf(object: Value, key: Value): Value {
  const found = itemIn(object, key)
  if (found !== undefined) return found
  return orElse(typeof key === 'string' ? plainAttribute(object, key) : undefined, missing(object, key))
}

/** An attribute, not an item. Undefined if there is none, or if it is not for templates; JavaScript's undefined if an item may have the name. */
export function plainAttribute(object: Value, name: string): Value | undefined {
  if (object instanceof Undefined) throw new TypeError(object.reason)
  if (object instanceof Namespace) return object.values.get(name)
  if (object instanceof WithAttributes) return object.attribute(name)
  if (typeof object === 'string') return stringAttribute(object, name)
  if (object instanceof Markup) return markupAttribute(object, name)
  if (object instanceof Bytes) return bytesAttribute(object, name)
  if (object instanceof Dict) return dictAttribute(object, name)
  if (object instanceof Tuple && object.names.includes(name)) return object.items[object.names.indexOf(name)]
  if (isList(object) || object instanceof Tuple) return listAttribute(object, name)
  return undefined
}

function missing(object: Value, key: Value): Undefined {
  if (typeof key === 'string') return new Undefined(`'${typeName(object)} object' has no attribute '${key}'`)
  return new Undefined(`${typeName(object)} object has no element ${typeof key === 'bigint' ? key : typeName(key)}`)
}

/** An unsafe attribute is there and yet cannot be used: templates change nothing that they are given. */
const unsafe = (type: string, name: string) => new Undefined(`access to attribute '${name}' of '${type}' object is unsafe`)

function stringAttribute(text: string, name: string): Value | undefined {
  if (!isStringMethod(name)) return undefined
  return new Callable(name, (given) => callStringMethod(name, text, given))
}

/** Texts that a method makes of HTML are HTML. */
function markupAttribute({ html: text }: Markup, name: string): Value | undefined {
  if (!isStringMethod(name)) return undefined
  return new Callable(name, (given) => {
    const placed = given.placed.map((value) => (typeof value === 'string' ? escapeHtml(value) : plain(value)))
    return toMarkup(callStringMethod(name, text, { ...given, placed }))
  })
}

function toMarkup(value: Value): Value {
  if (typeof value === 'string') return new Markup(value)
  return isList(value) ? value.map(toMarkup) : value
}

const changingDict: ReadonlySet<string> = new Set(['clear', 'pop', 'popitem', 'setdefault', 'update'])
const changingList: ReadonlySet<string> = new Set(['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'])

function dictAttribute(dict: Dict, name: string): Value | undefined {
  switch (name) {
    case 'get':
      return new Callable(name, ({ placed: [key, defaultValue] }) => orElse(dict.get(needed(key, 'get')), orElse(defaultValue, null)))
    case 'items':
    case 'keys':
    case 'values':
      return new Callable(name, () => new DictView(name, dict))
    case 'copy':
      return new Callable(name, () => new Dict(dict.entries()))
    case 'fromkeys':
      return new Callable(name, fromKeys)
    default:
      return changingDict.has(name) ? unsafe('dict', name) : undefined
  }
}

export function fromKeys({ placed: [keys, value] }: CallArguments): Dict {
  const elements = iterate(orElse(keys, null))
  return new Dict(Array.from(elements, (key) => [key, orElse(value, null)]))
}

function needed(value: Value | undefined, method: string): Value {
  if (value === undefined) throw new TypeError(`${method}() needs an argument`)
  return value
}

function listAttribute(list: readonly Value[] | Tuple, name: string): Value | undefined {
  const items = list instanceof Tuple ? list.items : list
  switch (name) {
    case 'count':
      return new Callable(name, ({ placed: [wanted] }) => BigInt(items.filter((item) => equal(item, needed(wanted, name))).length))
    case 'index':
      return new Callable(name, ({ placed: [wanted] }) => {
        const at = items.findIndex((item) => equal(item, needed(wanted, name)))
        if (at < 0) throw new TypeError('the value is not in the list')
        return BigInt(at)
      })
    case 'copy':
      return list instanceof Tuple ? undefined : new Callable(name, () => [...items])
    default:
      return !(list instanceof Tuple) && changingList.has(name) ? unsafe('list', name) : undefined
  }
}

/** JavaScript's undefined if there is none. */
function itemIn(object: Value, key: Value): Value | undefined {
  if (object instanceof Undefined) throw new TypeError(object.reason)
  if (object instanceof Dict) return isHashable(key) ? object.get(key) : undefined
  const place = typeof key === 'bigint' ? Number(key) : typeof key === 'boolean' ? Number(key) : null
  if (place === null) return undefined
  if (typeof object === 'string') return characterAt(object, place)
  if (object instanceof Markup) return markupAt(object, place)
  if (isList(object)) return object.at(place)
  if (object instanceof Bytes) return object.list().at(place)
  if (object instanceof Tuple) return object.items.at(place)
  if (!(object instanceof Range)) return undefined
  const at = place < 0 ? place + object.length : place
  return at >= 0 && at < object.length ? object.at(at) : undefined
}

const isHashable = (key: Value) => !isList(key) && !(key instanceof Dict)

function markupAt({ html: text }: Markup, place: number): Markup | undefined {
  const character = characterAt(text, place)
  return character === undefined ? undefined : new Markup(character)
}

function characterAt(text: string, place: number): string | undefined {
  // Without surrogate pairs, a position is an index.
  return /[\uD800-\uDFFF]/.test(text) ? Array.from(text).at(place) : text.at(place)
}

export interface SliceBounds {
  start: Value
  stop: Value
  step: Value
}

/** Python's `object[start:stop:step]`. @throws TypeError for a value that cannot be sliced, and for bounds that are not integers */
export function sliceOf(object: Value, bounds: SliceBounds): Value {
  if (object instanceof Undefined) throw new TypeError(object.reason)
  if (object instanceof Markup) return toMarkup(sliceOf(object.html, bounds))
  const length = lengthOfValue(object)
  const isSequence =
    typeof object === 'string' || object instanceof Bytes || isList(object) || object instanceof Tuple || object instanceof Range
  if (!isSequence || length === null) throw new TypeError(`'${typeName(object)}' object is not subscriptable`)
  if (object instanceof Range) return rangeSlice(object, bounds)
  const { from, to, by } = slicePlaces(length, bounds)
  const places = Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, at) => from + at * by)
  if (typeof object === 'string') {
    const characters = Array.from(object)
    return places.map((place) => characters[place]!).join('')
  }
  if (isList(object)) return places.map((place) => object[place]!)
  if (object instanceof Bytes) return new Bytes(Uint8Array.from(places, (place) => object.bytes[place]!))
  return new Tuple(places.map((place) => object.items[place]!))
}

function rangeSlice(range: Range, bounds: SliceBounds): Range {
  const { from, to, by } = slicePlaces(range.length, bounds)
  return new Range({ start: range.at(from), stop: range.at(to), step: range.step * BigInt(by) })
}

/** From the first index, by steps, up to the last one, which is excluded. */
function slicePlaces(length: number, { start, stop, step }: SliceBounds): { from: number; to: number; by: number } {
  const by = boundOf(step) ?? 1
  if (by === 0) throw new TypeError('slice step cannot be zero')
  const [lowest, highest] = by > 0 ? [0, length] : [-1, length - 1]
  const placed = (bound: number | null, defaultValue: number) => {
    if (bound === null) return defaultValue
    return Math.min(Math.max(bound < 0 ? bound + length : bound, lowest), highest)
  }
  const from = placed(boundOf(start), by > 0 ? lowest : highest)
  const to = placed(boundOf(stop), by > 0 ? highest : lowest)
  return { from, to, by }
}

function boundOf(value: Value): number | null {
  if (value === null) return null
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'bigint') return Number(value)
  throw new TypeError('slice indices must be integers or None')
}
