import { expect, test } from 'vitest'
import { chosenConditions } from './chosen-conditions.ts'

test('the button for failures selects by the status that knows failures below', () => {
  expect(chosenConditions({ status: 'error' })).toEqual([{ path: 'summary.weave.status', operator: 'contains', value: 'error' }])
  expect(chosenConditions({})).toEqual([])
})
