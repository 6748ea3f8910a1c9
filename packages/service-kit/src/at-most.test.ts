import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('a cache keeps so many entries, and forgets the one that was used longest ago', () => {
  const cache = new LRUCache<string, number>(atMost(3))
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index)
  cache.get('a')
  cache.set('d', 3)
  cache.set('d', 4)
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd'])
  cache.delete('c')
  for (const key of ['e', 'f']) cache.set(key, 5)
  expect([...cache.entries()].sort()).toEqual([
    ['d', 4],
    ['e', 5],
    ['f', 5],
  ])
})
