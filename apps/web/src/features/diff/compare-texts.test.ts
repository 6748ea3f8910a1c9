import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'

test('lines are marked as common, removed or added', () => {
  expect(compareTexts('a\nb\nc', 'a\nx\nc')).toEqual([
    { kind: 'same', lines: ['a'] },
    { kind: 'removed', lines: ['b'] },
    { kind: 'added', lines: ['x'] },
    { kind: 'same', lines: ['c'] },
  ])
})

test('what is same and removed is the older text, what is same and added the newer', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before.join('\n'), after.join('\n')) ?? []
      const without = (kind: string) => parts.filter((part) => part.kind !== kind).flatMap(({ lines }) => lines)
      expect([without('added'), without('removed')]).toEqual([before, after])
    }),
  )
})

test('a comparison that takes too long has no result', () => {
  const lines = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${(at * seed) % 7919}`).join('\n')
  expect(compareTexts(lines(31), lines(37), 1)).toBeUndefined()
})

test('lines that replace others say which words changed, and none where no word stayed', () => {
  const [removed, added] = compareTexts('The sky is grey today', 'The sky is blue today') ?? []
  const changed = (part = removed) => part?.words?.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim())
  expect([changed(removed), changed(added)]).toEqual([['grey'], ['blue']])
  expect(added?.words?.map(({ text }) => text).join('')).toBe('The sky is blue today')
  expect(compareTexts('one', 'two')?.map(({ words }) => words)).toEqual([undefined, undefined])
})
