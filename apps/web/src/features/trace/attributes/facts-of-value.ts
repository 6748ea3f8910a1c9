import { memberOf } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/json/exact'

/** A value by the path of its names. */
export interface Fact {
  path: string
  value: unknown
}

export interface FactGroup {
  title: string
  facts: readonly Fact[]
  /** Values beyond the limit. */
  leftOut: number
}

/** A longer list would be unreadable. */
export const maxFacts = 300
const maxDepth = 12

/** Attributes of a call, value by value: those of its span and its origin, before all others. */
export function factGroupsOf(attributes: unknown): FactGroup[] {
  const span = memberOf(attributes, 'otel_span')
  const own = group(span === undefined ? 'Attributes' : 'Read from the span', without(attributes, 'otel_span'))
  const groups =
    span === undefined
      ? [own]
      : [
          group('Attributes', memberOf(span, 'attributes')),
          group('Resource', memberOf(memberOf(span, 'resource'), 'attributes')),
          own,
          group('Span', without(span, 'attributes', 'resource')),
        ]
  return groups.filter(({ facts }) => facts.length > 0)
}

function group(title: string, value: unknown): FactGroup {
  const facts: Fact[] = []
  let count = 0
  collect(value, '', 0, (fact) => {
    count += 1
    if (count <= maxFacts) facts.push(fact)
  })
  return { title, facts, leftOut: count - facts.length }
}

/** Objects are flattened, down to a depth; lists, texts and numbers are values. Empty values are omitted. */
function collect(value: unknown, path: string, depth: number, add: (fact: Fact) => void): void {
  if (value === undefined || value === null || value === '') return
  const isObject = typeof value === 'object' && !Array.isArray(value) && !isJsonNumber(value)
  if (!isObject || depth >= maxDepth) {
    if (path !== '' && !(Array.isArray(value) && value.length === 0)) add({ path, value })
    return
  }
  for (const [name, member] of Object.entries(value)) collect(member, path === '' ? name : `${path}.${name}`, depth + 1, add)
}

function without(value: unknown, ...names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
