import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../testing/start-test-app.ts'
import vectors from '../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { aCall } from './testing/call-builders.ts'
import { createReplay, type RecordedStep } from './testing/recorded-sequence.ts'

type Request = Record<string, unknown>
type Step = RecordedStep & { http?: string }

const project_id = 'acme/demo'
const recorded = vectors.steps as Step[]
const start = recorded.findIndex(({ section }) => section === 'annotation queues') + 1
const ofQueues = recorded.slice(start, start + recorded.slice(start).findIndex(({ section }) => section !== undefined))

/** Calls as they were recorded, and with ids that calls can have here. */
const callId = (at: number) => `01970000-0000-7000-8000-00000000000${at}`
const traceId = (at: number) => `01970000-0000-7000-8000-0000000000f${at}`
const steps = JSON.parse(
  JSON.stringify(ofQueues).replace(/"(tr-)?c(\d)"/g, (_, trace: string | undefined, at: string) =>
    JSON.stringify(trace === undefined ? callId(Number(at)) : traceId(Number(at))),
  ),
) as Step[]

/** The operations of the sequence by their recorded names. */
function operationsOf(client: TestClient): Record<string, (request: Request) => Promise<unknown>> {
  const queues = client.annotationQueues
  const inProject = (request: Request) => ({ project_id, ...request }) as never
  return {
    annotation_queue_create: (request) => queues.create(inProject(request)),
    annotation_queue_read: (request) => queues.read(inProject(request)),
    annotation_queue_update: (request) => queues.update(inProject(request)),
    annotation_queue_delete: (request) => queues.delete(inProject(request)),
    annotation_queues_stats: (request) => queues.stats(inProject(request)),
    annotation_queue_add_calls: (request) => queues.addCalls(inProject(request)),
    annotation_queue_items_query: (request) => queues.queryItems(inProject(request)),
    annotator_queue_items_progress_update: (request) => queues.updateProgress(inProject(request)),
    async annotation_queues_query_stream(request) {
      const ids: string[] = []
      for await (const { id } of queues.streamQuery(inProject(request))) ids.push(id)
      return ids
    },
  }
}

/** The step in one form: of some answers the items alone were recorded, and the annotator follows the path. */
function inOneForm({ http = '', ...step }: Step): RecordedStep {
  const toAnswer = (answer: unknown) =>
    Array.isArray(answer) && step.call === 'annotation_queue_items_query' ? { items: answer as unknown[] } : answer
  const call = http.endsWith('as u2') ? `${step.call} as u2` : step.call
  return { ...step, ...(call !== undefined && { call }), reference: toAnswer(progressAnswer(step)), heddle: toAnswer(step.heddle) }
}

/** Only the item of an answer to progress was recorded. */
function progressAnswer({ call, reference }: Step): unknown {
  const isItem = typeof reference === 'object' && reference !== null && 'annotation_state' in reference
  return call === 'annotator_queue_items_progress_update' && isItem ? { item: reference } : reference
}

describe.each([
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
])('annotation queues on $dialect answer as recorded', ({ postgresUrl }) => {
  const isMissing = postgresUrl === ''
  let app: TestApp
  let replay: ReturnType<typeof createReplay>
  /** The queue that was recorded with an empty name, which is refused here. */
  let second: string

  beforeAll(async () => {
    if (isMissing) return
    app = await startTestApp({ own: {}, ...(postgresUrl !== undefined && { postgresUrl }) })
    for (const at of [1, 2, 3]) {
      const {
        ended_at: _ended,
        summary: _summary,
        ...call
      } = aCall({
        project_id,
        id: callId(at),
        op_name: `op_c${at}`,
        trace_id: traceId(at),
        started_at: `2026-03-01T00:00:0${at}Z`,
      })
      await app.client.calls.start({ start: call })
    }
    const key = (userId: string) => app.clientFor({ name: userId, userId, role: 'admin' })
    const [one, other] = [operationsOf(await key('u1')), operationsOf(await key('u2'))]
    const asOther = Object.entries(other).map(([name, send]) => [`${name} as u2`, send] as const)
    second = (await app.client.annotationQueues.create({ project_id, name: 'A', scorer_refs: [] })).id
    replay = createReplay(withNames({ ...one, ...Object.fromEntries(asOther) }))
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  /** Fills in the names of items and of the second queue, which no recorded answer told before. */
  function withNames(operations: ReturnType<typeof operationsOf>): ReturnType<typeof operationsOf> {
    const named = async (request: Request): Promise<Request> => {
      const text = JSON.stringify(request).replaceAll('<queue2>', second)
      const [name, at] = /<item-c(\d)>/.exec(text) ?? []
      if (name === undefined) return JSON.parse(text) as Request
      const queue_id = String(request['queue_id'])
      const { items } = await app.client.annotationQueues.queryItems({ project_id, queue_id, filter: { call_id: callId(Number(at)) } })
      return JSON.parse(text.replaceAll(name, items[0]?.id ?? '')) as Request
    }
    return Object.fromEntries(
      Object.entries(operations).map(([name, send]) => [name, async (request: Request) => send(await named(request))]),
    )
  }

  test.skipIf(isMissing)('all of them are replayed', () => expect(steps).toHaveLength(31))

  test.skipIf(isMissing).each(steps.map((step, at) => ({ name: `${at + 1} ${step.call} ${JSON.stringify(step.request)}`, step })))(
    '$name',
    ({ step }) => replay(inOneForm(step)),
  )
})
