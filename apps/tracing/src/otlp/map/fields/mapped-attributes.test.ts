import { describe, expect, test } from 'vitest'
import { addOwnAttributes, addRequestKind, mapAttributes } from './mapped-attributes.ts'
import { createTextBudget } from '../../decode/parse-attribute-text.ts'
import { events, nested, read } from '../../testing/a-span.ts'

const rows: [key: string, names: string[]][] = [
  ['system', ['gen_ai.system_instructions', 'gen_ai.system', 'llm.system', 'system_prompt']],
  [
    'kind',
    [
      'weave.span.kind',
      'traceloop.span.kind',
      'openinference.span.kind',
      'langfuse.observation.type',
      'mlflow.spanType',
      'langsmith.span.kind',
      'span.type',
      'genkit:metadata:subtype',
      'genkit:type',
      'entity.type',
    ],
  ],
  ['model', ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id', 'langfuse.observation.model.name']],
  ['provider', ['gen_ai.provider.name', 'llm.provider', 'ai.model.provider']],
  ['model_parameters', ['gen_ai.request', 'llm.invocation_parameters', 'ai.settings', 'langfuse.observation.model.parameters']],
  ['agent_name', ['gen_ai.agent.name']],
  ['agent_id', ['gen_ai.agent.id']],
  ['tools', ['gen_ai.agent.tools', 'gen_ai.tool.definitions', 'ai.prompt.tools']],
  ['operation_name', ['gen_ai.operation.name', 'ai.operationId']],
  ['response_id', ['gen_ai.response.id']],
  ['finish_reasons', ['gen_ai.response.finish_reasons']],
  ['tool_name', ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name']],
  ['tool_call_id', ['gen_ai.tool.call.id', 'ai.toolCall.id']],
]
const cases = rows.flatMap(([key, names]) => names.map((name, index) => [key, name, names.slice(index)] as const))

test.each(cases)('%s comes from %s before the names after it', (key, name, names) => {
  const mapped = mapAttributes(nested(Object.fromEntries(names.toReversed().map((each) => [each, `value of ${each}`]))), [])
  expect(mapped?.[key]).toBe(`value of ${name}`)
})

test('parameters given as JSON text are an object', () => {
  expect(read(mapAttributes(nested({ 'llm.invocation_parameters': '{"t":0.5}' }), []))).toEqual({ model_parameters: { t: 0.5 } })
})

test('a kind that is a quoted JSON text loses its quotes', () => {
  expect(mapAttributes(nested({ 'mlflow.spanType': '"LLM"' }), [])).toEqual({ kind: 'LLM' })
})

test('instructions of the details event are the last resort', () => {
  const details = events(['gen_ai.client.inference.operation.details', { 'gen_ai.system_instructions': '["be short"]' }])
  expect(read(mapAttributes(nested({}), details))).toEqual({ system: ['be short'] })
  expect(mapAttributes(nested({ 'gen_ai.system': 'x' }), details)).toEqual({ system: 'x' })
})

describe('the type of a request', () => {
  const kindOf = (type: unknown, { target = {}, hasUsage = false }: { target?: Record<string, unknown>; hasUsage?: boolean } = {}) => {
    const known = nested(target)
    addRequestKind(known, nested({ 'llm.request.type': type }), hasUsage)
    return known['kind']
  }
  test.each<[type: unknown, without: unknown, withUsage: unknown]>([
    ['chat', 'chat', undefined],
    ['completion', 'completion', undefined],
    ['embedding', 'embedding', 'embedding'],
    ['rerank', 'rerank', 'rerank'],
    ['unknown', undefined, undefined],
    [7, undefined, undefined],
  ])('%j is the kind %j of a call without usage, and %j of one with usage', (type, without, withUsage) => {
    expect([kindOf(type), kindOf(type, { hasUsage: true })]).toEqual([without, withUsage])
  })
  test.each([{ kind: 'workflow' }, { operation_name: 'chat' }])('says nothing beside %j', (target) => {
    expect(kindOf('rerank', { target })).toBe((target as { kind?: string }).kind)
  })
})

test('nothing found is undefined', () => {
  expect(mapAttributes(nested({ 'http.method': 'GET' }), [])).toBeUndefined()
})

test.each<[string, unknown, unknown]>([
  ['members override', { model: 'mine', n: 1 }, { model: 'mine', kind: 'k', n: 1 }],
  ['members of JSON text override', '{"model":"mine"}', { model: 'mine', kind: 'k' }],
  ['a list is ignored', ['x'], { model: 'm', kind: 'k' }],
  ['text is ignored', 'x', { model: 'm', kind: 'k' }],
])('own attributes: %s', (_name, own, expected) => {
  expect(addOwnAttributes(nested({ model: 'm', kind: 'k' }), nested({ 'wandb.attributes': own }), createTextBudget())).toEqual(expected)
})

test('own attributes may be JSON text inside an object', () => {
  expect(addOwnAttributes(nested({}), nested({ wandb: { attributes: '{"a":1}' } }), createTextBudget())).toEqual({ a: 1 })
})
