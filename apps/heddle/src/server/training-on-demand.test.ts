import { tracingRoutes, trainingRoutes } from '@heddle/core-api/routes'
import { expect, test } from 'vitest'
import { type OpenTraining, trainingOnDemand, trainingPrefixes } from './training-on-demand.ts'

const noJobs = { waiting: 0, running: 0, finished: 0, oldestWaitingSince: null }
const counters = { started: 0, succeeded: 0, failed: 0, cancelled: 0, retried: 0, released: 0, lost: 0, expired: 0, faults: 0 }
const statsOf = (waiting: number) => ({ stats: async () => ({ ...noJobs, ...counters, waiting }) })

function openTraining(events: string[]): OpenTraining {
  const service = { jobs: statsOf(2) } as unknown as OpenTraining['service']
  const engine = { health: async () => ({ ok: false, detail: {} }) } as unknown as OpenTraining['engine']
  return { service, engine, close: async () => void events.push('closed') }
}

test('all who need training at the same time get the one that is opened', async () => {
  const events: string[] = []
  const training = trainingOnDemand({
    jobs: statsOf(1),
    async load() {
      events.push('loaded')
      return openTraining(events)
    },
  })
  expect([await training.health(), (await training.jobs.stats()).waiting]).toEqual([{ ok: true, detail: {} }, 1])
  const [first, second] = await Promise.all([training.open(), training.open()])
  expect(first).toBe(second)
  expect([await training.health(), (await training.jobs.stats()).waiting]).toEqual([{ ok: false, detail: {} }, 2])
  await training.close()
  expect(events).toEqual(['loaded', 'closed'])
})

test('a failed opening rejects every request that waits for it, and the next request tries again', async () => {
  const attempts = [() => Promise.reject(new Error('a file is missing')), async () => openTraining([])]
  const training = trainingOnDemand({ jobs: statsOf(0), load: () => attempts.shift()!() })
  const waiting = await Promise.allSettled([training.open(), training.open()])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(training.open()).resolves.toHaveProperty('service')
})

test('what is opened while the server closes is closed as well, and nothing is opened after that', async () => {
  const events: string[] = []
  let load = () => {}
  const loaded = new Promise<OpenTraining>((resolve) => (load = () => resolve(openTraining(events))))
  const training = trainingOnDemand({ jobs: statsOf(0), load: () => loaded })
  const opening = training.open()
  const closing = training.close()
  load()
  await Promise.all([opening, closing])
  expect(events).toEqual(['closed'])

  const unused = trainingOnDemand({ jobs: statsOf(0), load: async () => openTraining(events) })
  await unused.close()
  await expect(unused.open()).rejects.toThrow('shutting down')
})

const pathsOf = (contract: object) => Object.values(contract).flatMap((resource: object) => Object.values(resource) as { path: string }[])

test.each(pathsOf(trainingRoutes))('$path is below the prefixes of training', ({ path }) => {
  expect(trainingPrefixes.some((prefix) => path.startsWith(prefix))).toBe(true)
})

test('tracing has no path that could be one of training', () => {
  const shared = pathsOf(tracingRoutes).filter(({ path }) => ['/v1/', '/api/'].some((prefix) => path.startsWith(prefix)))
  expect(shared).toEqual([])
  const unversioned = ['/chat/completions', '/completions', '/responses', '/messages', '/embeddings']
  expect(trainingPrefixes).toEqual(['/v1/', '/api/', '/files/', ...unversioned])
})
