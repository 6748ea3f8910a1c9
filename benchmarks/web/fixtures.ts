import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'

export type Client = ClientOf<typeof tracing>

export const connect = (baseUrl: string, apiKey: string): Client => createClient({ baseUrl, apiKey, contract: tracing, timeoutMs: 300_000 })

const callsOfRequest = 1_000
const startMs = Date.UTC(2026, 0, 2)

/** Records a trace in which each call has up to eight below it, and returns the id of its root. */
export async function recordTrace(client: Client, project_id: string, count: number, output: unknown = null): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/')
  const trace_id = randomUUID()
  const ids = Array.from({ length: count }, () => randomUUID())
  const calls = ids.map((id, at) => ({
    project_id,
    id,
    trace_id,
    parent_id: at === 0 ? null : (ids[Math.floor((at - 1) / 8)] ?? null),
    op_name: `step_${at % 50}`,
    started_at: new Date(startMs + at).toISOString(),
    ended_at: new Date(startMs + (at === 0 ? count : at + 5)).toISOString(),
    attributes: { otel_span: { name: `step ${at % 50}` } },
    inputs: { question: `Question ${at}` },
    output: at === 0 ? output : `Answer ${at}`,
    summary: {},
  }))
  for (let at = 0; at < calls.length; at += callsOfRequest)
    await client.calls.complete({ entity, project, batch: calls.slice(at, at + callsOfRequest) })
  return ids[0] ?? ''
}

/** Publishes two versions of an object with texts of a length, of which every tenth line differs. Returns their digests. */
export async function publishTexts(client: Client, project_id: string, object_id: string, bytes: number): Promise<string[]> {
  const digests: string[] = []
  for (const version of [1, 2]) {
    const lines: string[] = []
    for (let size = 0; size < bytes; size += lines.at(-1)?.length ?? 0) {
      const changed = lines.length % 10 === 0 ? ` of version ${version}` : ''
      lines.push(`line ${lines.length}${changed}: what a prompt of many lines says at this place\n`)
    }
    const { digest } = await client.objects.create({ obj: { project_id, object_id, val: { text: lines.join('') } } })
    digests.push(digest)
  }
  return digests
}
