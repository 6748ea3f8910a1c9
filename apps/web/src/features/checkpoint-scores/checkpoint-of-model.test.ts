import { expect, test } from 'vitest'
import { stepOfModel } from './checkpoint-of-model.ts'

const trained = { entity: 'e', project: 'p', name: 'agent' }

test.each([
  [{ llm_model_id: 'heddle/e/p/agent:step3' }, 3],
  [{ llm_model_id: 'heddle-artifact:///e/p/agent:step0' }, 0],
  [{ checkpoint: 'e/p/agent:step12' }, 12],
  [{ llm_model_id: 'heddle/e/p/agent' }, undefined],
  [{ llm_model_id: 'heddle/e/p/other:step3' }, undefined],
  [{ llm_model_id: 'openai/e/p/agent:step3' }, undefined],
  [{ llm_model_id: { name: 'agent' }, checkpoint: 3 }, undefined],
  ['e/p/agent:step3', undefined],
  [null, undefined],
])('of the trained model, %j is step %j', (value, step) => {
  expect(stepOfModel(value, trained)).toBe(step)
})
