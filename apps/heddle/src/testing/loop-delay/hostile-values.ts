import { randomUUID } from 'node:crypto'
import type { Schema } from './json-schema.ts'

/** A form of JSON text. */
export interface HostileValue {
  /** The same at every place. */
  name: string
  /** Makes it: all together are more than fits in memory. */
  json: () => string
}

const maxValues = 999_000
const repeated = (json: string, bytes: number, most = maxValues) => {
  const count = Math.max(1, Math.min(most, Math.floor(bytes / (json.length + 1))))
  return `[${`${json},`.repeat(count - 1)}${json}]`
}
const keys = (count: number, toMember: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => toMember(index)).join(',')}}`

/** What the entries of a list or dictionary at a place may be. */
export interface Entries {
  /** The JSON of an entry that is accepted. Ids that requests choose are new in each. */
  right: () => string
}

/** Values of about so many bytes that aim at a place of a request: by its schema they are wrong, or right and as many as are allowed. */
export function hostileValues(schema: Schema, bytes: number, entries: Entries): HostileValue[] {
  switch (schema.type) {
    case 'array':
      return lists(schema, bytes, entries)
    case 'string':
      return texts(bytes)
    case 'number':
    case 'integer':
      return [{ name: 'a number of 100,000 digits', json: () => '9'.repeat(100_000) }]
    case 'boolean':
    case 'null':
      return []
    default:
      return [...objects(bytes), ...dictionaries(schema, bytes, entries), ...(schema.type === undefined ? texts(bytes) : [])]
  }
}

function lists({ maxItems = maxValues }: Schema, bytes: number, { right }: Entries): HostileValue[] {
  const rightValues = () => {
    const some: string[] = []
    for (let length = 0; length < bytes && some.length < maxItems; length += some.at(-1)!.length + 1) some.push(right())
    return `[${some.join(',')}]`
  }
  return [
    { name: 'numbers', json: () => repeated('0', bytes) },
    { name: 'objects', json: () => repeated('{}', bytes) },
    { name: 'lists of numbers', json: () => repeated(repeated('0', 1_000), bytes) },
    { name: 'as many numbers as are allowed', json: () => repeated('0', bytes, maxItems) },
    { name: 'as many objects as are allowed', json: () => repeated('{}', bytes, maxItems) },
    { name: 'as many right values as are allowed', json: rightValues },
  ]
}

function dictionaries({ additionalProperties, maxProperties = 9_900 }: Schema, bytes: number, { right }: Entries): HostileValue[] {
  if (typeof additionalProperties !== 'object') return []
  const rightEntries = () => {
    const members: string[] = []
    for (let length = 0; length < bytes && members.length < maxProperties; length += members.at(-1)!.length + 1)
      members.push(`"k${members.length}":${right()}`)
    return `{${members.join(',')}}`
  }
  return [{ name: 'as many right entries as are allowed', json: rightEntries }]
}

function texts(bytes: number): HostileValue[] {
  const text = (name: string, unit: string) => ({ name, json: () => `"${unit.repeat(bytes / unit.length)}"` })
  return [
    text('a long text', 'x'),
    text('a long text of blanks', ' '),
    text('a long text of escapes', '\\u00e9'),
    text('a long text of lone surrogates', '\\ud800'),
    text('a long path', 'a.'),
    text('a long text of quotes', "'\\\\"),
  ]
}

function objects(bytes: number): HostileValue[] {
  const within = (name: string, entry: string) => ({
    name: `an object with a list of ${name}`,
    json: () => `{"a":${repeated(entry, bytes)}}`,
  })
  return [
    within('numbers', '1'),
    within('exact numbers', '1.0'),
    within('objects', '{}'),
    within('lists', '[]'),
    within('objects with a key', '{"a":1}'),
    within('texts', '"x"'),
    within('texts of JSON', '"[1]"'),
    within('references', '"weave:///test/p/object/o:d"'),
    within(
      'wide objects',
      keys(90, (index) => `"k${index}":1`),
    ),
    { name: 'a deep object', json: () => `${'{"a":'.repeat(190)}1${'}'.repeat(190)}` },
    { name: 'a wide object', json: () => keys(9_900, (index) => `"k${index}":1`) },
    { name: 'an object with long keys', json: () => keys(9_900, (index) => `"k${index}${'x'.repeat(bytes / 9_900)}":1`) },
    { name: 'an object with equal keys', json: () => keys(9_900, () => '"a":1') },
  ]
}

/** A copy in which ids that requests choose are new. */
export function withNewIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    (key === 'id' || key === 'trace_id') && typeof inner === 'string' ? randomUUID() : inner,
  )
}
