import { setImmediate } from 'node:timers/promises'
import type { ProjectScope } from '@heddle/identity'
import { expect, test } from 'vitest'
import { createLargePages } from './large-pages.ts'

const of = (caller: string, project = 'p') => ({ id: project, tenant: { caller, project }, signal: undefined }) as ProjectScope

/** A task that completes when `end` is called. */
function work() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const state = { hasStarted: false }
  const make = async () => {
    state.hasStarted = true
    await ended
    return 'made'
  }
  return { state, make, end }
}

test('one large page of a key or project is made at a time, two of all', async () => {
  const pages = createLargePages()
  const [first, second, other, third] = [work(), work(), work(), work()]
  const made = [
    pages.run(of('a'), first.make),
    pages.run(of('a', 'q'), second.make),
    pages.run(of('b', 'r'), other.make),
    pages.run(of('c', 's'), third.make),
  ]
  const started = () => [first, second, other, third].map(({ state }) => state.hasStarted)
  await setImmediate()
  expect(started()).toEqual([true, false, true, false])
  other.end()
  await made[2]
  await setImmediate()
  expect(started()).toEqual([true, false, true, true])
  for (const { end } of [first, second, third]) end()
  expect(await Promise.all(made)).toEqual(['made', 'made', 'made', 'made'])
})

test('one that fails makes way too, and one that waits too long is refused with the way out', async () => {
  const pages = createLargePages({ queueTimeoutMs: 1 })
  await expect(pages.run(of('a'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const first = work()
  const made = pages.run(of('a'), first.make)
  await expect(pages.run(of('a'), work().make)).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('limit and offset') as string,
  })
  first.end()
  expect(await made).toBe('made')
})
