import { expect, test } from 'vitest'
import { maxFields, modelFields } from './model-fields.ts'

test('numbers, booleans and short texts of a model are its parameters, by their paths', () => {
  const model = {
    _class_name: 'Model',
    name: 'agent',
    description: 'asks a tool',
    files: { source: 'abc' },
    temperature: 0.5,
    tools: true,
    prompt: { style: 'short', name: 'kept below the top', text: 'x'.repeat(81) },
    layers: { first: { size: 1, deeper: { size: 2 } } },
    stops: ['a'],
    empty: '',
    nothing: null,
    judge: 'weave:///acme/sums/object/judge:v1',
  }
  expect([...modelFields(model)]).toEqual([
    ['temperature', 0.5],
    ['tools', 'true'],
    ['prompt.style', 'short'],
    ['prompt.name', 'kept below the top'],
    ['layers.first.size', 1],
  ])
})

test.each([[null], ['text'], [[1]], [5], [undefined]])('%j has no parameters', (value) => expect(modelFields(value).size).toBe(0))

test('of a model with very many fields the first are read', () =>
  expect(modelFields(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field ${at}`, at]))).size).toBe(maxFields))
