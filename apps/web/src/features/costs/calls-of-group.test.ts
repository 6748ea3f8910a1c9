import { expect, test } from 'vitest'
import { callsOfGroup, nameOfGroup } from './calls-of-group.ts'

test.each([
  ['model', 'small.v1', { path: 'summary.usage.small\\.v1', operator: '!=', value: '' }, 'small.v1'],
  ['model', null, { path: 'summary.usage', operator: '=', value: '' }, 'no model'],
  ['op', 'weave:///e/p/op/answer', { path: 'op_name', operator: 'contains', value: 'weave:///e/p/op/answer:' }, 'answer'],
  ['op', 'plain', { path: 'op_name', operator: '=', value: 'plain' }, 'plain'],
  ['user', 'ada', { path: 'wb_user_id', operator: '=', value: 'ada' }, 'ada'],
  ['thread', null, { path: 'thread_id', operator: '=', value: null }, 'no thread'],
] as const)('calls of the %s %j', (by, key, condition, name) => {
  expect(callsOfGroup(by, key)).toEqual([condition])
  expect(nameOfGroup(by, key)).toBe(name)
})
