import { splitPath } from './field-path.ts'
import { isJsonNumber } from './json-number.ts'

/** A member of a value that may be anything: by its name in an object, by its position in a list. Numbers that are kept exact have none. */
export function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value) ? name === 'length' : isJsonNumber(value)) return undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/**
 * The value that a query finds at a path such as `inputs.messages.0.content`. If there is none, names may contain dots that the path does not escape,
 * as users and conventions omit the backslash: then the longest existing name wins.
 */
export function valueAt(value: unknown, path: string): unknown {
  const parts = splitPath(path)
  const found = parts.reduce<unknown>(memberOf, value)
  return found === undefined ? valueAtNames(value, parts) : found
}

/**
 * All nestings that a name with dots may have as members of members: one member, then one member per part, then the others, those with the longest
 * names first. There are 2 to the power of its dots.
 */
export function nestingsOf(name: string): string[][] {
  const parts = name.split('.')
  const all = nestings(parts).filter(({ length }) => length > 1 && length < parts.length)
  return parts.length === 1 ? [parts] : [[name], parts, ...all]
}

function nestings(parts: readonly string[]): string[][] {
  const ways: string[][] = [[parts.join('.')]]
  for (let count = parts.length - 1; count > 0; count--)
    for (const rest of nestings(parts.slice(count))) ways.push([parts.slice(0, count).join('.'), ...rest])
  return ways
}

/** The value of attributes under a name with dots, however it is nested: the first of its `nestingsOf` with a value other than null. */
export function valueNamed(attributes: unknown, nestingsOfName: readonly (readonly string[])[]): unknown {
  for (const names of nestingsOfName) {
    const found = names.reduce<unknown>(memberOf, attributes)
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

function valueAtNames(value: unknown, parts: readonly string[]): unknown {
  for (let count = parts.length; count > 0; count--) {
    const member = memberOf(value, parts.slice(0, count).join('.'))
    if (member === undefined) continue
    const found = count === parts.length ? member : valueAtNames(member, parts.slice(count))
    if (found !== undefined) return found
  }
  return undefined
}
