import type { ApiError, Effect } from '@heddle/core-api'
import { describe, expect, test } from 'vitest'
import { limitsInMemory } from '../testing/limits-in-memory.ts'
import { createProjectLimiter, noLimits, type ProjectLimiterOptions } from './project-limiter.ts'

const project = { id: 'e/p' }
const midnight = Date.parse('2026-03-01T00:00:00Z')
const dayMs = 86_400_000

function aLimiter(options: Partial<ProjectLimiterOptions> = {}) {
  const time = { now: 0 }
  const wallClockMs = () => midnight + time.now
  const limiter = createProjectLimiter({ store: limitsInMemory(), sharesStore: false, nowMs: () => time.now, wallClockMs, ...options })
  /** One request; resolves to the status of its refusal, or to 200. */
  const send = async (keyId = 'k', projects = [project.id], { bytes = 0, effect = 'write' as Effect, isAccepted = true } = {}) => {
    const charges = limiter.forRequest({ keyId, body: { bytes, declaredBytes: bytes }, addsData: true })
    try {
      for (const id of projects) await charges.charge(id, effect)
      charges.settle(isAccepted)
      return { status: 200, fields: charges.headerFields() }
    } catch (error) {
      charges.settle(false)
      const { status, message, extra, retryAfterSeconds } = error as ApiError
      return { status, message, extra, retryAfterSeconds, fields: charges.headerFields() }
    }
  }
  const statuses = async (requests: number, keyId?: string) => {
    const all: number[] = []
    for (let request = 0; request < requests; request++) all.push((await send(keyId)).status)
    return all
  }
  const sendBytes = async (bytes: number, more: { effect?: Effect; isAccepted?: boolean } = {}) =>
    send('k', [project.id], { bytes, ...more })
  return { limiter, time, send, sendBytes, statuses }
}

describe('the limits of projects', () => {
  test('are none where nobody has set any, and responses then report none', async () => {
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
    const { assertWithin } = limiter.forRequest({ keyId: 'k', body: { bytes: 0, declaredBytes: undefined }, addsData: true })
    for (let request = 0; request < 3; request++) await assertWithin(project.id, 'write')
    expect(await statuses(1)).toEqual([200])
    expect(() => assertWithin(project.id, 'write')).toThrow('(requests_per_minute)')
    time.now = 60_000
    await assertWithin(project.id, 'write')
  })

  test('are the lower ones of the project and of the server, and a project gets none above that of the server', async () => {
    const serverLimits = { ...noLimits, requests_per_minute: 200 }
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

describe('the bytes of a day', () => {
  const limited = async (limit = 1_000, options: Partial<ProjectLimiterOptions> = {}) => {
    const made = aLimiter(options)
    await made.limiter.set(project, { ingested_bytes_per_day: limit })
    const used = async () => {
      const { used: bytes, left } = (await made.limiter.usageOf(project.id, 'k')).ingested_bytes_per_day
      return [bytes, left]
    }
    return { ...made, used }
  }

  test('are those of writes that were carried out: reads, and what was refused or failed, cost nothing', async () => {
    const { sendBytes, used } = await limited()
    expect((await sendBytes(300)).status).toBe(200)
    await sendBytes(300, { effect: 'read' })
    await sendBytes(300, { effect: 'destroy' })
    await sendBytes(300, { isAccepted: false })
    expect((await sendBytes(701)).status).toBe(429)
    expect(await used()).toEqual([300, 700])
    expect((await sendBytes(700)).status).toBe(200)
    expect(await used()).toEqual([1_000, 0])
  })

  test('refuse with the limit, until the next day in UTC begins or an hour has passed', async () => {
    const { sendBytes, time, used } = await limited()
    await sendBytes(900)
    expect(await sendBytes(200)).toMatchObject({
      status: 429,
      retryAfterSeconds: 3_600,
      extra: { limit: { name: 'ingested_bytes_per_day', value: 1_000 } },
      message:
        'project "e/p" would get more than the 1000 bytes of writes that it may get on a day in UTC (ingested_bytes_per_day), while reads still work; send the request again after 86400 s, or have an administrator of the project raise the limit in its settings',
    })
    expect((await sendBytes(200, { effect: 'read' })).status).toBe(200)
    time.now = dayMs - 90_500
    expect(await sendBytes(200)).toMatchObject({ status: 429, retryAfterSeconds: 91 })
    time.now = dayMs
    expect((await sendBytes(200)).status).toBe(200)
    expect(await used()).toEqual([200, 800])
  })

  test('refuse a body for which no day has room as too large, so that clients split it', async () => {
    const { sendBytes } = await limited()
    expect(await sendBytes(1_001)).toMatchObject({ status: 413, message: expect.stringContaining('may get 1000 on a day') as string })
  })

  test('are told in header fields', async () => {
    const { sendBytes, time } = await limited()
    time.now = 1_000
    expect((await sendBytes(300)).fields).toEqual({
      'ratelimit-policy': '"bytes";q=1000;qu="content-bytes";w=86400',
      ratelimit: '"bytes";r=700;t=86399',
    })
  })

  test('hold for requests that run at the same time, also for the first ones', async () => {
    const { sendBytes, used } = await limited()
    const all = await Promise.all(Array.from({ length: 50 }, () => sendBytes(100)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(await used()).toEqual([1_000, 0])
  })

  test('a request that the bytes refuse takes nothing of the limit of requests, nor the other way round', async () => {
    const { limiter, sendBytes, used } = await limited()
    await limiter.set(project, { requests_per_minute: 1 })
    for (let request = 0; request < 3; request++) expect((await sendBytes(1_001)).status).toBe(413)
    expect((await sendBytes(100)).status).toBe(200)
    expect((await sendBytes(100)).status).toBe(429)
    expect(await used()).toEqual([100, 900])
  })

  test('are stored once a second and at the end, and continue after a restart', async () => {
    const store = limitsInMemory()
    const day = midnight / dayMs
    const first = await limited(1_000, { store })
    await first.sendBytes(300)
    await first.sendBytes(100)
    expect(await store.readBytes(project.id, day)).toBe(0)
    await expect.poll(() => store.readBytes(project.id, day)).toBe(400)
    await first.sendBytes(50)
    await first.limiter.close()
    expect(await store.readBytes(project.id, day)).toBe(450)
    const next = await limited(1_000, { store })
    expect(await next.used()).toEqual([450, 550])
    expect((await next.sendBytes(600)).status).toBe(429)
  })

  test('of several servers add up', async () => {
    const store = limitsInMemory()
    const [here, beside] = [await limited(1_000, { store, sharesStore: true }), await limited(1_000, { store, sharesStore: true })]
    for (const { sendBytes } of [here, beside]) await sendBytes(300)
    for (const { limiter } of [here, beside]) await limiter.close()
    here.time.now = 5_000
    expect([await here.used(), await beside.used()]).toEqual([
      [600, 400],
      [600, 400],
    ])
  })

  test('that could not be stored are kept, and stored later', async () => {
    const store = limitsInMemory()
    const errors: unknown[] = []
    const { limiter, sendBytes, used } = await limited(1_000, { store, onError: (error) => void errors.push(error) })
    store.isFull = true
    await sendBytes(300)
    await expect.poll(() => errors.length).toBe(1)
    expect(await used()).toEqual([300, 700])
    store.isFull = false
    await limiter.close()
    expect(await store.readBytes(project.id, midnight / dayMs)).toBe(300)
  })

  test('of days a week ago are forgotten', async () => {
    const store = limitsInMemory()
    const { limiter, sendBytes } = await limited(1_000, { store })
    await sendBytes(1)
    await limiter.close()
    expect(store.deletedBefore).toEqual([midnight / dayMs - 7])
  })
})
