import { expect, test } from 'vitest'
import { invariantFailures } from '@heddle/datastore'
import { Arena } from './arena.ts'
import { KernelMemory } from './kernel-memory.ts'

test('memory that is freed twice is neither free twice nor given to two', () => {
  const memory = new KernelMemory(1 << 20, 'plain')
  const [first, second] = [memory.allocate(100), memory.allocate(100)]
  memory.free(first)
  const before = invariantFailures()['engine.frees-what-is-allocated'] ?? 0
  expect(() => memory.free(first)).toThrow('engine.frees-what-is-allocated')
  expect(invariantFailures()['engine.frees-what-is-allocated']).toBe(before + 1)
  expect(memory.usedBytes).toBe(KernelMemory.sizeOf(100))
  expect(new Set([memory.allocate(100), memory.allocate(100), second]).size).toBe(3)
})

test('an arena is released to a mark below, and to no other', () => {
  const arena = new Arena(0, 1_024)
  const outer = arena.mark()
  arena.alloc(16)
  const inner = arena.mark()
  arena.release(outer)
  expect(() => arena.release(inner)).toThrow('engine.releases-go-back')
  expect(() => arena.alloc(-16)).toThrow('engine.allocations-go-forward')
  expect(arena.alloc(16)).toBe(outer)
})
