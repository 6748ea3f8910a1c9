import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { listenForStop } from './stop-signal.ts'

test('a Ctrl-C after the request to stop forces an exit; a second SIGTERM does not', async () => {
  let impatience = 0
  const signals = new EventEmitter()
  const stop = listenForStop({ endsWithParent: false, onSecondInterrupt: () => impatience++, signals })
  signals.emit('SIGTERM', 'SIGTERM')
  await stop.requested
  signals.emit('SIGTERM', 'SIGTERM')
  expect(impatience).toBe(0)
  signals.emit('SIGINT', 'SIGINT')
  expect(impatience).toBe(1)
  stop.release()
  expect(signals.eventNames()).toEqual([])
})
