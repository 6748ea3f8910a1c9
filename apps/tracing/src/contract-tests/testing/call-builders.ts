import { v7 as newUuid } from 'uuid'
import type { TestClient } from '../../testing/start-test-app.ts'

type StartRecord = Parameters<TestClient['calls']['start']>[0]['start']
type EndRecord = Parameters<TestClient['calls']['end']>[0]['end']
type CompleteRecord = Parameters<TestClient['calls']['complete']>[0]['batch'][number]
type StreamQuery = Parameters<TestClient['calls']['streamQuery']>[0]

/** What the stream of a query answers. */
export type CallRecord = Awaited<ReturnType<TestClient['calls']['query']>>['calls'][number]

export const newId = () => newUuid()

/** A start with nothing in it but what the test names. */
export function aStart(over: Partial<StartRecord> & { project_id: string }): StartRecord {
  return { id: newId(), trace_id: newId(), op_name: 'op', started_at: '2026-03-01T00:00:00Z', attributes: {}, inputs: {}, ...over }
}

/** The end of a call that took a second. */
export function anEnd(over: Partial<EndRecord> & { project_id: string; id: string }): EndRecord {
  return { ended_at: '2026-03-01T00:00:01Z', summary: {}, ...over }
}

/** A whole call that took a second. */
export function aCall(over: Partial<CompleteRecord> & { project_id: string }): CompleteRecord & { id: string } {
  return {
    id: newId(),
    trace_id: newId(),
    op_name: 'op',
    started_at: '2026-03-01T00:00:00Z',
    ended_at: '2026-03-01T00:00:01Z',
    attributes: {},
    inputs: {},
    summary: {},
    ...over,
  }
}

/** Writes whole calls into the project of the first. */
export async function record(client: TestClient, ...calls: CompleteRecord[]): Promise<void> {
  const [entity = '', project = ''] = (calls[0]?.project_id ?? '').split('/')
  await client.calls.complete({ entity, project, batch: calls })
}

/** All calls that a query streams. */
export async function findCalls(client: TestClient, query: StreamQuery): Promise<CallRecord[]> {
  const found: CallRecord[] = []
  for await (const call of client.calls.streamQuery(query)) found.push(call)
  return found
}

/** One call, which must be there. */
export async function readCall(client: TestClient, key: { project_id: string; id: string }): Promise<CallRecord> {
  const { call } = await client.calls.read(key)
  if (call === null) throw new Error(`call "${key.id}" is not there`)
  return call
}
