import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../../connect.ts'
import { newHexId, postSpans, type SentSpan as PostedSpan } from '../post-spans.ts'
import type { ExpectedTrace, SentCall, SentSpan, TracedCase } from './traced-case.ts'

/** A trace that was sent, with what is true of it. */
export interface SentTrace {
  id: string
  rootId: string
  expected: ExpectedTrace
}

/** Traces start a minute apart, the first an hour ago. */
const longAgoMs = 3_600_000
const apartMs = 60_000

/** Sends a case to a new project, and returns its traces in order. */
export async function sendCase(client: TracingClient, project_id: string, { sent, traces }: TracedCase): Promise<SentTrace[]> {
  const from = Date.now() - longAgoMs
  const sentTraces: SentTrace[] = []
  for (const [at, expected] of traces.entries()) {
    const target = { client, project_id, startMs: from + at * apartMs }
    const ids =
      sent.protocol === 'spans'
        ? await sendSpans(target, sent.traces[at]!, sent.parentOfRoots === 'not sent')
        : await sendCalls(target, sent.traces[at]!)
    sentTraces.push({ ...ids, expected })
  }
  return sentTraces
}

interface Target {
  client: TracingClient
  project_id: string
  /** Milliseconds since 1970. */
  startMs: number
}

type Ids = Pick<SentTrace, 'id' | 'rootId'>

async function sendSpans({ client, ...to }: Target, root: SentSpan, namesParent: boolean): Promise<Ids> {
  const trace = newHexId(16)
  const posted: PostedSpan[] = []
  const add = ({ name, attributes = {}, failure, below = [] }: SentSpan, parent: string | undefined): void => {
    const id = newHexId(8)
    posted.push({
      id,
      trace,
      name,
      attributes,
      second: posted.length,
      ...(parent !== undefined && { parent }),
      ...(failure !== undefined && { failure }),
    })
    for (const span of below) add(span, id)
  }
  add(root, namesParent ? newHexId(8) : undefined)
  await postSpans(client, to, ...posted)
  return { id: trace, rootId: posted[0]!.id }
}

async function sendCalls({ client, project_id, startMs }: Target, root: SentCall): Promise<Ids> {
  const trace_id = randomUUID()
  let started = 0
  const send = async ({ name, usage, isRunning, below = [] }: SentCall, parent_id: string | null): Promise<string> => {
    const [id, second] = [randomUUID(), started++]
    const at = (plus: number) => new Date(startMs + (second + plus) * 1_000).toISOString()
    await client.calls.start({
      start: { project_id, id, trace_id, parent_id, op_name: name, started_at: at(0), attributes: {}, inputs: {} },
    })
    for (const call of below) await send(call, id)
    const summary = usage === undefined ? {} : { usage }
    if (isRunning !== true) await client.calls.end({ end: { project_id, id, ended_at: at(1), output: null, summary } })
    return id
  }
  return { id: trace_id, rootId: await send(root, null) }
}
