import { expect, test } from 'vitest'
import type { Constraint, ToolCallFormat } from '../../constrained/constraint.ts'
import { toStructuredOutput } from './structured-output.ts'

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false }
const add = { name: 'add', parameters: schema, strict: true }
const now = { name: 'now', parameters: {}, strict: false }
const tagged: ToolCallFormat = {
  preamble: '',
  begin: '<tool_call>\n{"name": "',
  middle: '", "arguments": ',
  id: null,
  end: '}\n</tool_call>',
  separator: '\n',
  epilogue: '',
}
const listed: ToolCallFormat = { ...tagged, preamble: '[CALLS] [', begin: '{"name": "', end: '}', separator: ', ', epilogue: ']' }
const calls = { kind: 'tool-call', tools: [add], format: tagged, parallel: true } as const

const addTag = {
  type: 'tag',
  begin: '<tool_call>\n{"name": "add", "arguments": ',
  content: { type: 'json_schema', json_schema: schema },
  end: '}\n</tool_call>',
}
const anyOrder = { type: 'tags_with_separator', tags: [addTag], separator: '\n', at_least_one: true, stop_after_first: false }
const letters = { type: 'regex', pattern: '[a-zA-Z0-9]{9}' }
const constant = (value: string) => ({ type: 'const_string', value })

function formatOf(constraint: Constraint): unknown {
  const output = toStructuredOutput(constraint)
  if (!('structural_tag' in output)) throw new Error('it is a schema')
  const { type, format } = JSON.parse(output.structural_tag) as { type: string; format: unknown }
  expect(type).toBe('structural_tag')
  return format
}

test('JSON is a schema', () => {
  expect(toStructuredOutput({ kind: 'json-object' })).toEqual({ json: { type: 'object' } })
  expect(toStructuredOutput({ kind: 'json-schema', schema })).toEqual({ json: schema })
})

test.each<[string, Constraint, unknown]>([
  ['several calls', calls, anyOrder],
  ['one call', { ...calls, parallel: false }, { ...anyOrder, stop_after_first: true }],
  ['a template of one call', { ...calls, format: { ...tagged, separator: null } }, { ...anyOrder, separator: '', stop_after_first: true }],
  [
    'JSON or calls',
    { ...calls, otherwise: { kind: 'json-object' } },
    { type: 'or', elements: [{ type: 'json_schema', json_schema: { type: 'object' } }, anyOrder] },
  ],
  [
    'text with calls',
    { ...calls, otherwise: { kind: 'text', open: '<tool_call>' } },
    { type: 'triggered_tags', triggers: ['<tool_call>'], tags: [addTag], at_least_one: false, stop_after_first: false },
  ],
])('%s', (_, constraint, format) => {
  expect(formatOf(constraint)).toEqual(format)
})

test('a tool without parameters takes any object', () => {
  expect(formatOf({ ...calls, tools: [now] })).toMatchObject({ tags: [{ content: { json_schema: { type: 'object' } } }] })
})

test('what is before the first call and behind the last is written once', () => {
  expect(formatOf({ ...calls, format: listed })).toEqual({
    type: 'sequence',
    elements: [constant('[CALLS] ['), expect.objectContaining({ type: 'tags_with_separator', separator: ', ' }), constant(']')],
  })
})

test.each([
  ['name', [letters, constant('", "arguments": '), addTag.content], '{"name": "add", "id": "'],
  ['arguments', [addTag.content, constant(', "id": "'), letters], '{"name": "add", "arguments": '],
] as const)('an id stands behind the %s', (behind, elements, begin) => {
  const before = behind === 'name' ? '", "id": "' : ', "id": "'
  expect(formatOf({ ...calls, format: { ...listed, preamble: '', epilogue: '', id: { before, length: 9, behind } } })).toMatchObject({
    tags: [{ begin, content: { type: 'sequence', elements } }],
  })
})

test.each([
  ['the JSON of a call is the whole answer', { ...tagged, begin: '{"name": "' }, ''],
  ['calls have an end of their own', listed, '[CALLS]'],
])('text or calls are refused where %s', (_, format, open) => {
  expect(() => toStructuredOutput({ ...calls, format, otherwise: { kind: 'text', open } })).toThrow(
    'set tool_choice to "required" or leave them out',
  )
})
