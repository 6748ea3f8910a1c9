import { createAdmission, defaultAdmissionLimits } from '@heddle/service-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { aCall, findCalls, record } from './testing/call-builders.ts'

const callsOfBatch = 5
const writes = { ...defaultAdmissionLimits.writes, maxRunning: 2, queueTimeoutMs: 60_000, shedAfterMs: 60_000, maxWaiting: 20 }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ service: { admission: createAdmission({ limits: { writes } }) } })
})
afterAll(() => app.close())

const batchOf = (project_id: string) => Array.from({ length: callsOfBatch }, () => aCall({ project_id }))
const idsOf = (calls: readonly { id: string }[]) => calls.map(({ id }) => id)

test('more than the server can take is refused with 429; what was refused is not there, and what was acknowledged is', async () => {
  const projects = Array.from({ length: 3 }, () => app.newProject())
  const batches = projects.flatMap((project) => Array.from({ length: 20 }, () => batchOf(project)))
  const answers = await Promise.allSettled(batches.map((batch) => record(app.client, ...batch)))

  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, retryAfterSeconds: 1 })

  const acknowledged = batches.flatMap((batch, index) => (answers[index]?.status === 'fulfilled' ? idsOf(batch) : []))
  expect(acknowledged.length).toBeGreaterThanOrEqual(writes.maxWaiting * callsOfBatch)
  const found = await Promise.all(projects.map((project_id) => findCalls(app.client, { project_id })))
  expect(idsOf(found.flat()).toSorted()).toEqual(acknowledged.toSorted())
})

test('a project with one batch does not wait for all those of another', async () => {
  const [bulk, interactive] = [app.newProject(), app.newProject()]
  const order: string[] = []
  const write = (project: string) => record(app.client, ...batchOf(project)).then(() => void order.push(project))
  const all = Array.from({ length: 15 }, () => write(bulk))
  await Promise.all([...all, write(interactive)])
  expect(order.indexOf(interactive)).toBeLessThan(8)
})
