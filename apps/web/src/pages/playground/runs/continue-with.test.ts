import { expect, test } from 'vitest'
import { emptyAnswer } from '../../../features/playground/answer.ts'
import { continueWith } from './continue-with.ts'

test('after tools were called there is a result for each', () => {
  const toolCalls = [
    { index: 0, id: 'a', name: 'find', arguments: '{"q":1}' },
    { index: 1, id: 'b', name: 'look', arguments: '{}' },
  ]
  const next = continueWith([{ role: 'user', content: 'Hi' }], { ...emptyAnswer, toolCalls })
  expect(next.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
    ['user', undefined],
    ['assistant', undefined],
    ['tool', 'a'],
    ['tool', 'b'],
  ])
})

test('after a text the user speaks', () => {
  expect(continueWith([], { ...emptyAnswer, text: 'Hi' })).toEqual([
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: '' },
  ])
})
