import { expect, test } from 'vitest'
import { createSessionPool, QueueFull } from './session-pool.ts'

const never = new AbortController().signal

function held() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, released }
}

test('each caller has its own session, and the next waiter gets the first free one', async () => {
  const pool = createSessionPool({ sessions: ['a', 'b'], maxWaiting: 10 })
  const gate = held()
  const seen: string[] = []
  const long = pool.use(async (session) => {
    seen.push(session)
    await gate.released
  }, never)
  for (let index = 0; index < 3; index++) await pool.use(async (session) => seen.push(session), never)
  gate.release()
  await long
  expect(seen).toEqual(['b', 'a', 'a', 'a'])
})

test('callers beyond the limit are refused at once', async () => {
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1 })
  const gate = held()
  const first = pool.use(() => gate.released, never)
  const second = pool.use(async () => 'second', never)
  await expect(pool.use(async () => 'third', never)).rejects.toThrow(QueueFull)
  gate.release()
  await first
  expect(await second).toBe('second')
})

test('a caller that leaves while waiting is removed from the queue', async () => {
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1 })
  const gate = held()
  const first = pool.use(() => gate.released, never)
  const gone = new AbortController()
  const second = pool.use(async () => 'second', gone.signal)
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  const third = pool.use(async () => 'third', never)
  gate.release()
  await first
  expect(await third).toBe('third')
})

test('a session is released after work that throws', async () => {
  const pool = createSessionPool({ sessions: [1], maxWaiting: 0 })
  const failing = async () => {
    throw new Error('no')
  }
  await expect(pool.use(failing, never)).rejects.toThrow('no')
  expect(await pool.use(async (session) => session, never)).toBe(1)
})

test('work whose caller leaves is cancelled, and its session is released only once it has ended', async () => {
  const gate = held()
  let calls = 0
  const cancel = async () => {
    if (++calls === 3) gate.release()
  }
  const clear = async () => void calls++
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1, cancel, clear, cancelEveryMs: 1 })
  const gone = new AbortController()
  const first = pool.use(() => gate.released, gone.signal)
  const second = pool.use(async () => calls, never)
  await Promise.resolve()
  gone.abort(new Error('gone'))
  await first
  expect(await second).toBe(4)
})

test('a session is cleared after work that throws, before it is used again, and not after other work', async () => {
  const order: string[] = []
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1, clear: async () => void order.push('cleared') })
  const failing = pool.use(async () => {
    throw new Error('no')
  }, never)
  const next = pool.use(async () => void order.push('next'), never)
  await expect(failing).rejects.toThrow('no')
  await next
  expect(order).toEqual(['cleared', 'next'])
})

test('a session that cannot be cleared is not used again', async () => {
  const pool = createSessionPool({ sessions: [1], maxWaiting: 0, clear: () => Promise.reject(new Error('not clear')) })
  await expect(pool.use(() => Promise.reject(new Error('no')), never)).rejects.toThrow('not clear')
  await expect(pool.use(async () => 1, never)).rejects.toThrow(QueueFull)
})

test('a late cancellation does not affect the next work on the session', async () => {
  const [gate, cancelling] = [held(), held()]
  const order: string[] = []
  const cancel = async () => {
    await cancelling.released
    order.push('cancelled')
  }
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1, cancel })
  const gone = new AbortController()
  const first = pool.use(() => gate.released, gone.signal)
  const second = pool.use(async () => void order.push('next'), never)
  await Promise.resolve()
  gone.abort(new Error('gone'))
  gate.release()
  await Promise.resolve()
  cancelling.release()
  await Promise.all([first, second])
  expect(order).toEqual(['cancelled', 'next'])
})

test('work whose caller leaves while it is granted a session does not start', async () => {
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1, cancel: async () => undefined })
  const gone = new AbortController()
  const first = pool.use(async () => expect.unreachable(), gone.signal)
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(await pool.use(async (session) => session, never)).toBe(1)
})

test('work that completes is never cancelled', async () => {
  let calls = 0
  const pool = createSessionPool({ sessions: [1], maxWaiting: 0, cancel: async () => void calls++ })
  const gone = new AbortController()
  await pool.use(async () => 1, gone.signal)
  gone.abort(new Error('gone'))
  expect(calls).toBe(0)
})

test('a pool is idle once the last session has been cleared, also for a caller that has left', async () => {
  const gate = held()
  const clearing = held()
  const seen: string[] = []
  const clear = async () => {
    await clearing.released
    seen.push('cleared')
  }
  const pool = createSessionPool({ sessions: [1], maxWaiting: 1, clear })
  const run = pool.use(async () => {
    await gate.released
    throw new Error('the caller left')
  }, never)
  run.catch(() => undefined)
  const idle = pool.idle().then(() => seen.push('idle'))
  gate.release()
  await new Promise((resolve) => setImmediate(resolve))
  clearing.release()
  await idle
  expect(seen).toEqual(['cleared', 'idle'])
})
