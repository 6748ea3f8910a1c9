import { afterEach, expect, test, vi } from 'vitest'
import { createSystemClock } from './clock.ts'

afterEach(() => vi.unstubAllGlobals())

const alive = { keepsProcessAlive: true }

test('a timer keeps a Node process alive only on request', () => {
  const unref = vi.fn<() => void>()
  vi.stubGlobal('setTimeout', () => ({ unref }))
  const clock = createSystemClock()
  clock.after(1, () => undefined, alive)
  expect(unref).not.toHaveBeenCalled()
  clock.after(1, () => undefined)
  expect(unref).toHaveBeenCalledOnce()
})

test('nor does it keep Deno alive, whose timers are numbers', () => {
  const unrefTimer = vi.fn<(timer: number) => void>()
  vi.stubGlobal('Deno', { unrefTimer })
  vi.stubGlobal('setTimeout', () => 7)
  const clock = createSystemClock()
  clock.after(1, () => undefined, alive)
  expect(unrefTimer).not.toHaveBeenCalled()
  clock.after(1, () => undefined)
  expect(unrefTimer.mock.calls).toEqual([[7]])
})

test('where timers are numbers they work as plain timers', () => {
  vi.stubGlobal('setTimeout', () => 7)
  expect(createSystemClock().after(1, () => undefined)).toBeTypeOf('function')
})
