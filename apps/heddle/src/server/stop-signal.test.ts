import { expect, onTestFinished, test } from 'vitest'
import { listenForStop } from './stop-signal.ts'

test('a Ctrl-C after the request to stop forces an exit; a second SIGTERM does not', async () => {
  let impatience = 0
  const stop = listenForStop({ endsWithParent: false, onSecondInterrupt: () => impatience++ })
  onTestFinished(() => stop.release())
  process.emit('SIGTERM', 'SIGTERM')
  await stop.asked
  process.emit('SIGTERM', 'SIGTERM')
  expect(impatience).toBe(0)
  process.emit('SIGINT', 'SIGINT')
  expect(impatience).toBe(1)
})
