import type { ApiError } from '@heddle/core-api'
import { describe, expect, test } from 'vitest'
import { limitsInMemory } from '../testing/limits-in-memory.ts'
import { createProjectLimiter, type ProjectLimiterOptions } from './project-limiter.ts'

const project = { id: 'e/p' }

function aLimiter(options: Partial<ProjectLimiterOptions> = {}) {
  const time = { now: 0 }
  const limiter = createProjectLimiter({ store: limitsInMemory(), sharesStore: false, nowMs: () => time.now, ...options })
  /** One request; resolves to the status of its refusal, or to 200. */
  const send = async (keyId = 'k', projects = [project.id]) => {
    const charges = limiter.forRequest(keyId)
    try {
      for (const id of projects) await charges.charge(id, 'write')
      return { status: 200, fields: charges.headerFields() }
    } catch (error) {
      const { status, message, extra, retryAfterSeconds } = error as ApiError
      return { status, message, extra, retryAfterSeconds, fields: charges.headerFields() }
    }
  }
  const statuses = async (requests: number, keyId?: string) => {
    const all: number[] = []
    for (let request = 0; request < requests; request++) all.push((await send(keyId)).status)
    return all
  }
  return { limiter, time, send, statuses }
}

describe('the limits of projects', () => {
  test('are none where nobody has set any, and responses then tell of none', async () => {
    const store = limitsInMemory()
    const { send } = aLimiter({ store })
    for (let request = 0; request < 100; request++) expect(await send()).toEqual({ status: 200, fields: undefined })
    expect(store.reads).toBe(1)
  })

  test('are read from the store once, however many requests wait for them', async () => {
    const store = limitsInMemory()
    const { send } = aLimiter({ store })
    await Promise.all(Array.from({ length: 50 }, () => send()))
    expect(store.reads).toBe(1)
  })

  test('refuse with the name and the value of the limit, when to come back, and the way out', async () => {
    const { limiter, send, statuses } = aLimiter()
    await limiter.set(project, { requests_per_minute_per_key: 30 })
    expect(await statuses(2)).toEqual([200, 200])
    expect(await send()).toMatchObject({
      status: 429,
      retryAfterSeconds: 2,
      extra: { limit: { name: 'requests_per_minute_per_key', value: 30 } },
      message:
        'project "e/p" has had the 30 requests a minute that it may get with one API key (requests_per_minute_per_key); send the request again after 2 s, or have an administrator of the project raise the limit in its settings',
    })
    expect(await statuses(1, 'another key')).toEqual([200])
  })

  test('tell in header fields what is left', async () => {
    const { limiter, send } = aLimiter()
    await limiter.set(project, { requests_per_minute: 100, requests_per_minute_per_key: 20 })
    expect((await send()).fields).toEqual({
      'ratelimit-policy': '"project";q=100;w=60, "key";q=20;w=60',
      ratelimit: '"project";r=5;t=1, "key";r=1;t=3',
    })
  })

  test('count a request once for each project that it opens, however often it does', async () => {
    const { limiter, send } = aLimiter()
    for (const id of ['e/p', 'e/q']) await limiter.set({ id }, { requests_per_minute: 100 })
    expect((await send('k', ['e/p', 'e/q', 'e/p', 'e/p', 'e/q'])).status).toBe(200)
    for (const id of ['e/p', 'e/q'])
      expect(await limiter.usageOf(id, 'k')).toMatchObject({ requests_per_minute: { limit: 100, used: 1, left: 5 } })
  })

  test('are checked without counting before a body is read', async () => {
    const { limiter, time, statuses } = aLimiter()
    await limiter.set(project, { requests_per_minute: 1 })
    const { assertWithin } = limiter.forRequest('k')
    for (let request = 0; request < 3; request++) await assertWithin(project.id)
    expect(await statuses(1)).toEqual([200])
    expect(() => assertWithin(project.id)).toThrow('(requests_per_minute)')
    time.now = 60_000
    await assertWithin(project.id)
  })

  test('are the lower ones of the project and of the server, and a project gets none above that of the server', async () => {
    const serverLimits = { requests_per_minute: 200, requests_per_minute_per_key: null }
    const { limiter } = aLimiter({ serverLimits })
    const limits = async () => (await limiter.usageOf(project.id, 'k')).requests_per_minute
    expect(await limits()).toMatchObject({ limit: 200, own_limit: null, server_limit: 200, used: 0 })
    await limiter.set(project, { requests_per_minute: 100 })
    expect(await limits()).toMatchObject({ limit: 100, own_limit: 100, server_limit: 200 })
    await expect(limiter.set(project, { requests_per_minute: 201 })).rejects.toMatchObject({
      status: 400,
      message: 'requests_per_minute is 201, but the operator of this server allows each project at most 200; choose a lower limit',
    })
    await limiter.set(project, { requests_per_minute: null })
    expect(await limits()).toMatchObject({ limit: 200, own_limit: null })
  })

  test('a change leaves alone what it does not name, holds at once here, and within 5 s on a server beside this one', async () => {
    const store = limitsInMemory()
    const [here, beside] = [aLimiter({ store, sharesStore: true }), aLimiter({ store, sharesStore: true })]
    expect(await beside.statuses(2)).toEqual([200, 200])
    await here.limiter.set(project, { requests_per_minute: 1 })
    await here.limiter.set(project, { requests_per_minute_per_key: 5 })
    expect(await here.statuses(2)).toEqual([200, 429])
    expect(await beside.statuses(2)).toEqual([200, 200])
    beside.time.now = 5_000
    expect(await beside.statuses(2)).toEqual([200, 429])
    expect(await beside.limiter.usageOf(project.id, 'k')).toMatchObject({ requests_per_minute_per_key: { own_limit: 5 } })
  })

  test('a limit that is lifted frees those who waited', async () => {
    const { limiter, statuses } = aLimiter()
    await limiter.set(project, { requests_per_minute: 1 })
    expect(await statuses(2)).toEqual([200, 429])
    await limiter.set(project, { requests_per_minute: null })
    expect(await statuses(2)).toEqual([200, 200])
  })
})
