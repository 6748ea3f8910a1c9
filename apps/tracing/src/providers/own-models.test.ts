import { expect, test } from 'vitest'
import { createModelProviders } from './model-providers.ts'
import { withOwnModels } from './own-models.ts'

const complete = async () => ({ status: 'succeeded' as const, body: {} })
const provider = (name: string) => ({ name, baseUrl: `https://${name}.test/v1`, apiKey: undefined })
const own = (defaultName?: string, ...names: string[]) => withOwnModels(createModelProviders(names.map(provider), defaultName), complete)
const found = (providers: ReturnType<typeof own>, modelId: string) => {
  const { provider: by, model } = providers.find(modelId)!
  return [by.complete ? 'this server' : by.name, model]
}

test.each([
  ['heddle/heddle-nano', 'heddle-nano'],
  ['heddle/e/p/agent:step3', 'e/p/agent:step3'],
  ['heddle-artifact:///e/p/agent', 'heddle-artifact:///e/p/agent'],
  ['wandb-artifact:///e/p/agent:step1', 'wandb-artifact:///e/p/agent:step1'],
])('the model %s is one of this server', (modelId, model) => {
  expect(found(own(), modelId)).toEqual(['this server', model])
  expect(found(own('openai', 'openai'), modelId)).toEqual(['this server', model])
})

test('other names are models of the default provider, and of this server if there is none', () => {
  expect(found(own('openai', 'openai'), 'gpt-9')).toEqual(['openai', 'gpt-9'])
  expect(found(own('openai', 'openai'), 'openai/gpt-9')).toEqual(['openai', 'gpt-9'])
  expect(found(own(), 'heddle-micro')).toEqual(['this server', 'heddle-micro'])
})

test('a provider that the operator calls heddle stays the one of that name', () => {
  expect(found(own(undefined, 'heddle'), 'heddle/m')).toEqual(['heddle', 'm'])
})
