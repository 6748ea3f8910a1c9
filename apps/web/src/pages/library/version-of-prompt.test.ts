import { expect, test } from 'vitest'
import { versionOfPrompt } from './version-of-prompt.ts'

const project = { id: 'acme/demo', entity: 'acme', project: 'demo' }
const digest = 'd'.repeat(43)
const ref = (name: string, version = digest, place = 'acme/demo') => `weave:///${place}/object/${name}:${version}`

test.each([
  ['in its parameters', { default_params: { prompt: ref('greeting') } }, digest],
  ['in a list', { prompts: ['none', ref('greeting', 'v3')] }, 'v3'],
  ['itself', ref('greeting'), digest],
])('a model that names the prompt %s is of that version', (_, model, version) => {
  expect(versionOfPrompt(model, project, 'greeting')).toBe(version)
})

test.each([
  ['another prompt', { prompt: ref('greeting-2') }],
  ['one of another project', { prompt: ref('greeting', digest, 'acme/other') }],
  ['an op of that name', { prompt: `weave:///acme/demo/op/greeting:${digest}` }],
  ['none', { prompt: null, text: 'greeting' }],
])('a model that names %s is of no version', (_, model) => {
  expect(versionOfPrompt(model, project, 'greeting')).toBeUndefined()
})
