import { buildTree, type TreeCall } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { isOutsideParent } from './is-outside-parent.ts'

const call = (id: string, parentId: string | null, startedAt: number, endedAt: number | null): TreeCall => ({
  id,
  parentId,
  startedAt,
  endedAt,
})

test('a call outside the time of its parent is marked; one of a running parent is not', () => {
  const [root] = buildTree([
    call('root', null, 10, 20),
    call('early', 'root', 5, 15),
    call('late', 'root', 15, 25),
    call('inside', 'root', 11, 12),
    call('rounded', 'root', 9, 21),
  ])
  expect(root!.children.filter(isOutsideParent).map(({ call: { id } }) => id)).toEqual(['early', 'late'])
  expect(isOutsideParent(root!)).toBe(false)
  expect(isOutsideParent(buildTree([call('root', null, 10, null), call('child', 'root', 15, 900)])[0]!.children[0]!)).toBe(false)
})
