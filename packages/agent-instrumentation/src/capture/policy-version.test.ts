import { expect, test } from 'vitest'
import { policyVersionOf } from './policy-version.ts'

test.each([
  [{ 'x-model-step': '7' }, ['e/p/m:step3'], 7],
  [{ 'X-Model-Step': '0' }, [], 0],
  [{ 'x-model-step': 'new' }, ['heddle-artifact:///e/p/m:step12'], 12],
  [undefined, [undefined, 'e/p/m:step4'], 4],
  [{}, ['e/p/m', 'gpt-step3', 'publishers/x/models/y@20240620'], undefined],
])('of the headers %j and the models %j', (headers, models, version) => {
  expect(policyVersionOf({ headers, models })).toBe(version)
})
