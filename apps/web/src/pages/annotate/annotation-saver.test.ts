import { expect, test } from 'vitest'
import { createAnnotationSaver, type SaverDeps, type StoredValue } from './annotation-saver.ts'

interface Options {
  stored?: Record<string, StoredValue>
  /** How many saves fail first. */
  failures?: number
}

function start({ stored = {}, failures = 0 }: Options = {}) {
  const done: string[] = []
  const waits: number[] = []
  const later: (() => void)[] = []
  let isOpen = true
  let left = failures
  let ids = 0
  const fail = () => {
    if (left-- > 0) throw new Error('the server is away')
  }
  const deps: SaverDeps = {
    async store({ field, value, replaced }) {
      fail()
      done.push(`${field}=${JSON.stringify(value)}${replaced === undefined ? '' : ` for ${replaced}`}`)
      return `id-${++ids}`
    },
    async remove(id) {
      fail()
      done.push(`removed ${id}`)
    },
    onChange: () => undefined,
    wait(ms) {
      waits.push(ms)
      return ms < 15_000 ? Promise.resolve() : new Promise((resolve) => void later.push(resolve))
    },
    isOpen: () => isOpen,
  }
  const saver = createAnnotationSaver(stored, deps)
  return { saver, done, waits, passLater: () => later.splice(0).forEach((pass) => pass()), leave: () => void (isOpen = false) }
}

test('a value is shown at once and saved', async () => {
  const { saver, done } = start()
  saver.set('tone', 'friendly')
  expect(saver.state('tone')).toEqual({ value: 'friendly', status: 'saving', problem: undefined })
  expect(saver.isSaved()).toBe(false)
  expect(await saver.settle()).toBe(true)
  expect(saver.state('tone').status).toBe('saved')
  expect(done).toEqual(['tone="friendly"'])
})

test('of values that come while one is saved, the last replaces it', async () => {
  const { saver, done } = start()
  for (const value of [1, 2, 3]) saver.set('quality', value)
  expect(await saver.settle()).toBe(true)
  expect(done).toEqual(['quality=1', 'quality=3 for id-1'])
})

test('a change of what is stored replaces it, and no value removes it', async () => {
  const { saver, done } = start({ stored: { tone: { value: 'rude', id: 'old' } } })
  saver.set('tone', 'neutral')
  await saver.settle()
  saver.set('tone', undefined)
  await saver.settle()
  expect(done).toEqual(['tone="neutral" for old', 'removed id-1'])
  expect(saver.state('tone').status).toBe('empty')
})

test('undo brings back the value before, change by change', async () => {
  const { saver, done } = start()
  saver.set('a', 1)
  await saver.settle()
  saver.set('b', 2)
  await saver.settle()
  expect([saver.undo(), saver.undo(), saver.undo()]).toEqual(['b', 'a', undefined])
  expect(await saver.settle()).toBe(true)
  expect(done).toEqual(['a=1', 'b=2', 'removed id-2', 'removed id-1'])
})

test('a failed save is repeated, with longer pauses', async () => {
  const { saver, done, waits } = start({ failures: 3 })
  saver.set('a', 1)
  expect(await saver.settle()).toBe(true)
  expect(waits).toEqual([500, 1_000, 2_000])
  expect(done).toEqual(['a=1'])
})

test('what cannot be saved says why, keeps its value and is saved when asked again', async () => {
  const { saver, done } = start({ failures: 5 })
  saver.set('a', 1)
  expect(await saver.settle()).toBe(false)
  expect(saver.state('a')).toEqual({ value: 1, status: 'failed', problem: 'the server is away' })
  saver.retry()
  expect(await saver.settle()).toBe(true)
  expect(done).toEqual(['a=1'])
})

test('what could not be saved is tried again later, until the item is left', async () => {
  const { saver, done, waits, passLater } = start({ failures: 11 })
  saver.set('a', 1)
  expect(await saver.settle()).toBe(false)
  expect(waits.at(-1)).toBe(15_000)
  passLater()
  await expect.poll(() => waits.filter((ms) => ms === 15_000).length).toBe(2)
  expect([saver.state('a').status, done]).toEqual(['failed', []])
  passLater()
  await expect.poll(() => done).toEqual(['a=1'])
  expect(saver.state('a').status).toBe('saved')

  const left = start({ failures: 5 })
  left.saver.set('a', 1)
  await left.saver.settle()
  left.leave()
  left.passLater()
  expect([await left.saver.settle(), left.done]).toEqual([false, []])
})
