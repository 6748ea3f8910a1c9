import { afterAll, beforeAll, inject } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'

type Queues = TestClient['annotationQueues']
export type Item = Awaited<ReturnType<Queues['queryItems']>>['items'][number]
export type Queue = Awaited<ReturnType<Queues['read']>>['queue']

/** The stores on which queues are tested. */
export const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
]

export interface QueueApp extends TestApp {
  /** A client whose key belongs to this user. */
  as(userId: string): Promise<TestClient>
  /** Moves the clock of the server. */
  advance(seconds: number): void
}

/** A server whose clock moves by a microsecond with each reading, and when the test moves it. */
export async function startQueueApp(postgresUrl: string | undefined): Promise<QueueApp> {
  let now = 1_772_323_200_000_000
  const app = await startTestApp({ ...(postgresUrl !== undefined && { postgresUrl }), service: { clock: () => now++ } })
  return {
    ...app,
    as: (userId) => app.clientFor({ name: userId, userId, role: 'writer' }),
    advance: (seconds) => void (now += seconds * 1_000_000),
  }
}

/** A server with the clients of two reviewers, `u1` and `u2`. They are there while tests run. */
export interface Reviews {
  /** Whether the store is not there, so that its tests are skipped. */
  isMissing: boolean
  readonly app: QueueApp
  readonly one: TestClient
  readonly two: TestClient
}

/** Starts a server before the tests of a `describe` block, and closes it after them. */
export function startReviews(postgresUrl: string | undefined): Reviews {
  const isMissing = postgresUrl === ''
  const reviews = { isMissing } as { -readonly [Name in keyof Reviews]: Reviews[Name] }
  beforeAll(async () => {
    if (isMissing) return
    reviews.app = await startQueueApp(postgresUrl)
    reviews.one = await reviews.app.as('u1')
    reviews.two = await reviews.app.as('u2')
  })
  afterAll(() => (isMissing ? undefined : reviews.app.close()))
  return reviews
}

/** A project with calls, and a queue with some of them. */
export interface FilledQueue {
  project_id: string
  queue_id: string
  /** Ids of all calls, by start. */
  calls: string[]
}

/** A new project with calls that started one after the other, and a queue with the first of them. */
export async function aFilledQueue(
  { client, newProject }: QueueApp,
  { calls, items }: { calls: number; items: number },
): Promise<FilledQueue> {
  const project_id = newProject()
  const made = Array.from({ length: calls }, (_, at) =>
    aCall({ project_id, id: newId(), op_name: `op-${at}`, started_at: new Date(1_772_323_200_000 + at * 1_000).toISOString() }),
  )
  if (calls > 0) await record(client, ...made)
  const { id: queue_id } = await client.annotationQueues.create({ project_id, name: 'Review', scorer_refs: [] })
  const ids = made.map(({ id }) => id)
  for (let at = 0; at < items; at += 1_000)
    await client.annotationQueues.addCalls({
      project_id,
      queue_id,
      call_ids: ids.slice(at, Math.min(items, at + 1_000)),
      display_fields: [],
    })
  return { project_id, queue_id, calls: ids }
}

/** All queues that a query streams. */
export async function findQueues(client: TestClient, query: Parameters<Queues['streamQuery']>[0]): Promise<Queue[]> {
  const found: Queue[] = []
  for await (const queue of client.annotationQueues.streamQuery(query)) found.push(queue)
  return found
}
