import type { Call } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { fieldsOfCall } from './fields-of-call.ts'

const call = {
  op_name: 'answer',
  trace_id: 't',
  thread_id: null,
  wb_user_id: null,
  exception: null,
  attributes: { version: 2, 'gen_ai.model': 'm' },
  inputs: { question: 'Where?', tags: ['a'], long: 'x'.repeat(300), options: { deep: true } },
  output: 'Oslo',
  summary: {},
} as unknown as Call

test('fields have their text, and a value where a condition can compare it', () => {
  expect(fieldsOfCall(call).map(({ path, value }) => [path, value])).toEqual([
    ['op_name', 'answer'],
    ['trace_id', 't'],
    ['inputs.question', 'Where?'],
    ['inputs.tags', undefined],
    ['inputs.long', undefined],
    ['inputs.options.deep', true],
    ['attributes.version', 2],
    [String.raw`attributes.gen_ai\.model`, 'm'],
  ])
  expect(fieldsOfCall(call).find(({ path }) => path === 'inputs.tags')?.text).toBe('["a"]')
})
