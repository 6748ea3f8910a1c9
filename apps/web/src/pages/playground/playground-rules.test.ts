import { expect, test } from 'vitest'
import { emptyDraft, noParameters } from '../../features/playground/draft/draft.ts'
import { keepDraft, readDraft } from './draft/kept-draft.ts'
import { findProvided, firstModel, isKnown, splitModel } from './known-models.ts'
import { modelsOf, playgroundSearch } from './playground-search.ts'

function memory() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  }
}

test('what is typed is kept for its project and call alone', () => {
  const storage = memory()
  const draft = { ...emptyDraft, tools: '[]', parameters: [noParameters], own: { 1: emptyDraft.messages }, variables: { a: 'b' } }
  expect(keepDraft(storage, 'e/p', 'c1', draft)).toBe(true)
  expect(readDraft(storage, 'e/p', 'c1')).toEqual(draft)
  expect(readDraft(storage, 'e/p', undefined)).toBeUndefined()
  expect(readDraft(storage, 'e/other', 'c1')).toBeUndefined()
})

test.each([
  '{',
  'null',
  '[]',
  '{"messages": [{}], "tools": "", "parameters": []}',
  '{"messages": [], "tools": "", "parameters": [{}]}',
  '{"messages": [], "tools": "", "parameters": [], "own": {"1": [{}]}}',
])('what cannot be read is left out: %s', (text) => {
  const storage = memory()
  keepDraft(storage, 'e/p', undefined, emptyDraft)
  for (const name of storage.items.keys()) storage.items.set(name, text)
  expect(readDraft(storage, 'e/p', undefined)).toBeUndefined()
})

test('saving reports that the browser stores nothing', () => {
  const full = {
    ...memory(),
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(keepDraft(full, 'e/p', undefined, emptyDraft)).toBe(false)
})

const trained = [{ id: '1', entity: 'e', project: 'p', name: 'own', base_model: 'small', run_id: null }]

test.each([
  ['small', true],
  ['e/p/own', true],
  ['e/p/own:step3', true],
  ['e/p/other', false],
  ['', false],
])('whether %s is offered: %s', (model, expected) => {
  expect(isKnown({ trained, base: ['small'], providers: [] }, model)).toBe(expected)
})

test('a variant begins with the model of the call, else a trained one, else a base model', () => {
  const providers = [{ name: 'near', is_default: false }]
  expect(firstModel({ trained, base: ['small'], providers }, 'small')).toBe('small')
  expect(firstModel({ trained, base: ['small'], providers }, 'near/by')).toBe('near/by')
  expect(firstModel({ trained, base: ['small'], providers }, 'far/away')).toBe('e/p/own')
  expect(firstModel({ trained: [], base: ['small'], providers }, '')).toBe('small')
  expect(firstModel({ trained: [], base: [], providers }, '')).toBe('near/')
  expect(firstModel({ trained: [], base: [], providers: [] }, '')).toBeUndefined()
})

test.each([
  ['near/by', { provider: 'near', name: 'by' }],
  ['near/', { provider: 'near', name: '' }],
  ['near/a/b', { provider: 'near', name: 'a/b' }],
  ['far/away', { provider: 'usual', name: 'far/away' }],
  ['small', undefined],
  ['e/p/own:step3', undefined],
])('the provider of %s is %j', (model, expected) => {
  const providers = [
    { name: 'usual', is_default: true },
    { name: 'near', is_default: false },
  ]
  expect(findProvided({ trained, base: ['small'], providers }, model)).toEqual(expected)
})

test('a checkpoint is split from the name of its model', () => {
  expect(splitModel('e/p/own:step3')).toEqual({ name: 'e/p/own', step: '3' })
  expect(splitModel('small')).toEqual({ name: 'small', step: '' })
})

test('an address has at most four models', () => {
  expect(playgroundSearch({ models: 'a,b,c,d,e', call: 7 })).toEqual({ models: 'a,b,c,d', call: '7', prompt: undefined })
  expect(modelsOf({ models: 'a,,b' }, 'first')).toEqual(['a', 'b'])
  expect(modelsOf({}, 'first')).toEqual(['first'])
  expect(modelsOf({ models: ',' }, 'first')).toEqual(['first'])
})
