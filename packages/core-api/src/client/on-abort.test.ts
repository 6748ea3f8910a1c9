import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { onAbort } from './on-abort.ts'

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('any number follow a signal through one listener, which goes with the last of them', () => {
  const { signal } = new AbortController()
  const leaves = Array.from({ length: 20 }, () => onAbort(signal, () => undefined))
  expect(listenersOf(signal)).toBe(1)
  for (const leave of leaves.slice(1)) leave()
  expect(listenersOf(signal)).toBe(1)
  leaves[0]?.()
  expect(listenersOf(signal)).toBe(0)
})

test('all that have not left are run, once; one that comes later runs at once', () => {
  const controller = new AbortController()
  const ran: string[] = []
  onAbort(controller.signal, () => ran.push('first'))
  const leave = onAbort(controller.signal, () => ran.push('left'))
  const second = onAbort(controller.signal, () => ran.push('second'))
  leave()
  leave()
  controller.abort()
  second()
  expect(ran).toEqual(['first', 'second'])
  onAbort(controller.signal, () => ran.push('later'))
  expect(ran).toEqual(['first', 'second', 'later'])
})

test('one that leaves while the signal aborts is not run', () => {
  const controller = new AbortController()
  const ran: string[] = []
  let leave = () => {}
  onAbort(controller.signal, () => leave())
  leave = onAbort(controller.signal, () => ran.push('left'))
  controller.abort()
  expect(ran).toEqual([])
})

test('one that follows again after the last has left is run', () => {
  const controller = new AbortController()
  const ran: string[] = []
  const leave = onAbort(controller.signal, () => ran.push('left'))
  leave()
  onAbort(controller.signal, () => ran.push('again'))
  leave()
  controller.abort()
  expect(ran).toEqual(['again'])
})
