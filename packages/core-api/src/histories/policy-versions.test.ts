import { expect, test } from 'vitest'
import { policyVersions } from './policy-versions.ts'

test.each([
  [[], null, null],
  [[undefined, null], null, null],
  [[0], 0, 0],
  [[9, 7], 7, 9],
  [[7, undefined, 9, 8], 7, 9],
  [[3, null, 3], 3, 3],
])('of the steps %j the smallest is the initial version and the largest the final one', (steps, initial, final) => {
  expect(policyVersions(steps)).toEqual({ initial_policy_version: initial, final_policy_version: final })
})
