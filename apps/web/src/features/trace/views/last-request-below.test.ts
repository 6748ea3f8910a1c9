import { buildTree } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { aTraceCall } from '../testing/trace-call.ts'
import { lastRequestBelow } from './last-request-below.ts'

test('the latest request below a call is found, also where another call reports it, and none of the call itself', () => {
  const calls = [
    aTraceCall({ id: 'root', parentId: null }),
    aTraceCall({ id: 'plan', parentId: 'root' }),
    aTraceCall({ id: 'first', parentId: 'plan' }),
    aTraceCall({ id: 'answer', parentId: 'root' }),
    aTraceCall({ id: 'second', parentId: 'answer' }),
  ]
  const [root] = buildTree(calls)
  const [, , first, , second] = calls
  const requests = [[first!], [aTraceCall({ id: 'elsewhere', parentId: null }), second!]] as const
  const plan = root!.children.find(({ call }) => call.id === 'plan')
  expect(lastRequestBelow(root!, requests)).toBe(requests[1])
  expect(lastRequestBelow(plan!, requests)).toBe(requests[0])
  expect(lastRequestBelow(plan!.children[0]!, requests)).toBeUndefined()
})
