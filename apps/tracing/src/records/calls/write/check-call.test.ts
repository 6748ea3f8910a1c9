import { expect, test } from 'vitest'
import { findCallProblem } from './check-call.ts'

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057'

test.each([
  ['id', uuid],
  ['id', '0123456789abcdef'],
  ['id', 'zzzzzzzzzzzzzzzz'],
  ['trace_id', '0123456789abcdef0123456789abcdef'],
  ['parent_id', '0123456789abcdef'],
  ['op_name', 'a'.repeat(128)],
  ['op_name', 'weave:///e/p/op/name:digest'],
  ['display_name', 'é'.repeat(1024)],
  ['display_name', ''],
  ['wb_run_id', 'e/p/run'],
])('%s %j is sound', (field, value) => {
  expect(findCallProblem({ [field]: value })).toBeUndefined()
})

test.each([
  ['id', ''],
  ['id', uuid.toUpperCase()],
  ['id', '0123456789abcdef0123456789abcdef'],
  ['id', '0123456789ABCDEF'],
  ['trace_id', '0123456789abcdef'],
  ['parent_id', 'x'],
  ['op_name', 'a'.repeat(129)],
  ['op_name', 'weave:///e/p/object/name:digest'],
  ['op_name', 'weave:///e/p'],
  ['display_name', 'a'.repeat(1025)],
  ['wb_run_id', 'run'],
  ['wb_run_id', 'e//run'],
  ['wb_run_id', `e/p/${'r'.repeat(1_021)}`],
])('%s %j is refused by name', (field, value) => {
  expect(findCallProblem({ [field]: value })).toMatchObject({ field, reason: expect.stringContaining(field) as string })
})

test('absent fields break no rule', () => {
  expect(findCallProblem({ id: null, parent_id: undefined })).toBeUndefined()
})
