import { expect, onTestFinished, test } from 'vitest'
import { type EngineLauncher, LauncherError, type ServerState, type StartOutcome } from './engine-launcher.ts'
import { createLaunchedServer, type LaunchedServerOptions, type LaunchEvent } from './launched-server.ts'
import { createSteppedClock } from './testing/stepped-clock.ts'

const never = new AbortController().signal
const running: ServerState = { kind: 'running', address: 'http://10.0.0.7:8000' }
const pending: ServerState = { kind: 'pending', detail: 'waits for a GPU' }

/** A cluster whose answers a test sets; an error is thrown. */
function aCluster() {
  const cluster = { start: 'started' as StartOutcome | Error, state: running as ServerState | Error, responds: true, calls: [] as string[] }
  const take = <T>(call: string, value: T | Error): T => {
    cluster.calls.push(call)
    if (value instanceof Error) throw value
    return value
  }
  const launcher: EngineLauncher = {
    place: 'a cluster',
    servers: async () => [],
    shortenOutput: async () => undefined,
    start: async () => take('start', cluster.start),
    state: async () => take('state', cluster.state),
    stop: async () => take('stop', undefined),
  }
  return { cluster, launcher }
}

function launch(options: Partial<LaunchedServerOptions> = {}) {
  const { cluster, launcher } = aCluster()
  const clock = createSteppedClock()
  const events: LaunchEvent[] = []
  const open = (before: Partial<typeof cluster> = {}) => {
    Object.assign(cluster, before)
    const server = createLaunchedServer({
      launcher,
      limits: { startMs: 60_000, startsPerHour: 3 },
      probe: async () => cluster.responds,
      onEvent: (event) => events.push(event),
      stopsAtEnd: true,
      ...clock,
      ...options,
    })
    onTestFinished(() => server.close())
    return server
  }
  const ready = (server: ReturnType<typeof open>) => server.ready({ waitMs: 20_000, signal: never })
  return { cluster, clock, events, open, ready, reasons: () => events.flatMap((event) => (event.kind === 'failed' ? [event.reason] : [])) }
}

test('a slow start is waited for, and the status says what is pending', async () => {
  const { cluster, clock, open, ready, events } = launch()
  const server = open({ state: pending, responds: false })
  await clock.next()
  await clock.next()
  expect(server.status()).toEqual({ state: 'starting', detail: 'waits for a GPU' })
  cluster.state = running
  await clock.next()
  await clock.next()
  expect(server.status()).toEqual({ state: 'starting', detail: 'runs at http://10.0.0.7:8000 and does not answer yet' })
  cluster.responds = true
  await clock.next()
  expect(await ready(server)).toEqual({ address: 'http://10.0.0.7:8000', generation: 1 })
  expect(cluster.calls.filter((call) => call === 'start')).toHaveLength(1)
  expect(events).toEqual([
    { kind: 'launched', place: 'a cluster' },
    { kind: 'ready', place: 'a cluster', address: 'http://10.0.0.7:8000' },
  ])
})

test('a start that takes too long is ended and tried again', async () => {
  const { cluster, clock, open, reasons } = launch({ limits: { startMs: 3_000, startsPerHour: 3 } })
  const server = open({ state: pending })
  for (let second = 0; second < 3; second++) expect(await clock.next()).toBe(1_000)
  expect(await clock.next()).toBe(1_000)
  expect(reasons()).toEqual(['no answer within 3 s of the start: waits for a GPU'])
  expect(cluster.calls).toContain('stop')
  cluster.state = running
  expect(await launchAgain(server, clock)).toMatchObject({ generation: 1 })
})

async function launchAgain(server: ReturnType<typeof createLaunchedServer>, clock: ReturnType<typeof createSteppedClock>) {
  const isReady = server.ready({ waitMs: 20_000, signal: never })
  await clock.next()
  return isReady
}

test.each<[string, ServerState, string]>([
  ['ended', { kind: 'ended', reason: 'the job is failed: exit code 3' }, 'the job is failed: exit code 3'],
  ['is gone from the cluster', { kind: 'absent' }, 'a cluster has no such job any more'],
])('a server that %s is started again, as another generation', async (_, state, reason) => {
  const { cluster, clock, open, ready, reasons } = launch()
  const server = open()
  await ready(server)
  Object.assign(cluster, { state, responds: false })
  expect(await clock.next()).toBe(10_000)
  expect(await clock.next()).toBe(1_000)
  expect(reasons()).toEqual([reason])
  Object.assign(cluster, { state: running, responds: true })
  expect(await ready(server)).toEqual({ address: 'http://10.0.0.7:8000', generation: 2 })
})

test('a server that fails again and again is started a bounded number of times an hour, after longer and longer pauses', async () => {
  const { cluster, clock, open, ready } = launch()
  const server = open({ state: { kind: 'ended', reason: 'no such file' } })
  const pauses = [await clock.next(), await clock.next(), await clock.next()]
  expect(pauses).toEqual([1_000, 2_000, 3_597_000])
  expect(cluster.calls.filter((call) => call === 'start').length).toBeGreaterThanOrEqual(3)
  cluster.state = running
  expect(await ready(server)).toMatchObject({ generation: 1 })
})

test('a cluster that cannot be asked costs no start, and is asked until it answers', async () => {
  const { cluster, clock, open, ready, reasons } = launch()
  const server = open({ start: new LauncherError('a cluster did not answer') })
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]) expect(await clock.next()).toBe(pause)
  expect(reasons().every((reason) => reason === 'a cluster did not answer')).toBe(true)
  cluster.start = 'started'
  expect(await launchAgain(server, clock)).toMatchObject({ generation: 1 })
  await ready(server)
})

test('a cluster that cannot be asked does not end a server, and checks without a response do', async () => {
  const { cluster, clock, open, ready, reasons } = launch()
  const server = open()
  await ready(server)
  Object.assign(cluster, { state: new LauncherError('a cluster did not answer'), responds: false })
  for (let check = 0; check < 5; check++) await clock.next()
  expect(server.status()).toMatchObject({ state: 'ready' })
  cluster.responds = true
  await clock.next()
  cluster.responds = false
  for (let check = 0; check < 7; check++) await clock.next()
  expect(reasons()).toEqual(['no answer to 6 checks in 60 s'])
  expect(cluster.calls).toContain('stop')
})

test('a server that runs already is adopted, and one with other settings is waited out', async () => {
  const { cluster, clock, open, ready, events } = launch()
  const server = open({ start: 'waiting' })
  await clock.next()
  expect(cluster.calls).not.toContain('state')
  cluster.start = 'adopted'
  await clock.next()
  await ready(server)
  expect(events.map(({ kind }) => kind)).toEqual(['adopted', 'ready'])
})

test('a request that waits too long is told so, without the words of the cluster', async () => {
  const { open } = launch()
  const server = open({ state: pending })
  await expect(server.ready({ waitMs: 1, signal: never })).rejects.toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      message: 'the training server is not ready (it is starting); the log of this server has more',
    }),
  )
  const left = new AbortController()
  left.abort(new Error('the client left'))
  await expect(server.ready({ waitMs: 20_000, signal: left.signal })).rejects.toThrow('the client left')
})

test.each([
  ['is stopped', true, ['stop']],
  ['is left for the next process, if so configured', false, []],
])('at the end the server %s', async (_, stopsAtEnd, expected) => {
  const { cluster, open, ready } = launch({ stopsAtEnd })
  const server = open()
  await ready(server)
  await server.close()
  expect(cluster.calls.filter((call) => call === 'stop')).toEqual(expected)
  await expect(ready(server)).rejects.toThrow('it was stopped')
})

test('the end does not wait for a start', async () => {
  const { cluster, open } = launch()
  const server = open({ state: pending })
  await server.close()
  expect(cluster.calls.at(-1)).toBe('stop')
})
