import { expect, test } from 'vitest'
import { buildTree } from '../build-tree.ts'
import { modelCallsOf, sharedStart } from './model-calls.ts'

const call = (id: string, parentId: string | null, startedMs: number) => ({ id, parentId, startedMs, endedMs: startedMs })

test('a call that repeats what a call below it used is no model call itself', () => {
  const roots = buildTree([
    call('root', null, 0),
    call('later', 'root', 9),
    call('outer', 'root', 1),
    call('inner', 'outer', 2),
    call('tool', 'root', 3),
  ])
  const usage = new Set(['root', 'outer', 'inner', 'later'])
  expect(modelCallsOf(roots, usage).map(({ id }) => id)).toEqual(['inner', 'later'])
  expect(modelCallsOf(roots, new Set())).toEqual([])
})

test('messages that a call repeats from the one before are counted', () => {
  const [asked, answered, again] = ['question', 'answer', 'again'].map((text) => ({ role: 'user', text }))
  expect(sharedStart([asked!, answered!, again!], [asked!, answered!])).toBe(2)
  expect(sharedStart([asked!], [asked!, answered!])).toBe(1)
  expect(sharedStart([again!], [asked!])).toBe(0)
})
