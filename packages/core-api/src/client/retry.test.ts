import { expect, test } from 'vitest'
import { pause } from './retry.ts'

test('a pause ends after its time', async () => {
  await expect(pause(0, undefined)).resolves.toBeUndefined()
})

test('a pause ends with the reason of its signal', async () => {
  const abort = new AbortController()
  const waiting = pause(60_000, abort.signal)
  abort.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(pause(60_000, abort.signal)).rejects.toThrow('enough')
})
