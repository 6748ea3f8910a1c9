import type { Schema } from './json-schema.ts'

/** A JSON text with a name. */
export interface HostileValue {
  name: string
  json: string
}

const maxValues = 999_000
const repeated = (json: string, bytes: number, most = maxValues) => {
  const count = Math.max(1, Math.min(most, Math.floor(bytes / (json.length + 1))))
  return `[${`${json},`.repeat(count - 1)}${json}]`
}
const keys = (count: number, toMember: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => toMember(index)).join(',')}}`

/** Values of about so many bytes that aim at a place of a request: by its schema they are wrong, or right and as many as are allowed. */
export function hostileValues(schema: Schema, bytes: number, sampleItem: () => string): HostileValue[] {
  switch (schema.type) {
    case 'array':
      return lists(schema, bytes, sampleItem)
    case 'string':
      return texts(bytes)
    case 'number':
    case 'integer':
      return [{ name: 'a number of 100,000 digits', json: '9'.repeat(100_000) }]
    case 'boolean':
    case 'null':
      return []
    default:
      return [...objects(bytes), ...(schema.type === undefined ? texts(bytes) : [])]
  }
}

function lists({ maxItems = maxValues }: Schema, bytes: number, sampleItem: () => string): HostileValue[] {
  const right: string[] = []
  for (let length = 0; length < bytes && right.length < maxItems; length += right.at(-1)!.length + 1) right.push(sampleItem())
  return [
    { name: 'numbers', json: repeated('0', bytes) },
    { name: 'objects', json: repeated('{}', bytes) },
    { name: 'lists of numbers', json: repeated(repeated('0', 1_000), bytes) },
    { name: 'as many numbers as are allowed', json: repeated('0', bytes, maxItems) },
    { name: 'as many objects as are allowed', json: repeated('{}', bytes, maxItems) },
    { name: 'as many right values as are allowed', json: `[${right.join(',')}]` },
  ]
}

function texts(bytes: number): HostileValue[] {
  const text = (name: string, unit: string) => ({ name, json: `"${unit.repeat(bytes / unit.length)}"` })
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
  const within = (name: string, json: string) => ({ name: `an object with a list of ${name}`, json: `{"a":${json}}` })
  return [
    within('numbers', repeated('1', bytes)),
    within('exact numbers', repeated('1.0', bytes)),
    within('objects', repeated('{}', bytes)),
    within('texts', repeated('"x"', bytes)),
    within('references', repeated('"weave:///test/p/object/o:d"', bytes)),
    within(
      'wide objects',
      repeated(
        keys(90, (index) => `"k${index}":1`),
        bytes,
      ),
    ),
    { name: 'a deep object', json: `${'{"a":'.repeat(190)}1${'}'.repeat(190)}` },
    { name: 'a wide object', json: keys(9_900, (index) => `"k${index}":1`) },
    { name: 'an object with long keys', json: keys(9_900, (index) => `"k${index}${'x'.repeat(bytes / 9_900)}":1`) },
    { name: 'an object with equal keys', json: keys(9_900, () => '"a":1') },
  ]
}
