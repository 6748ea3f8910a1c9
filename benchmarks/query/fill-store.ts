import type { Agent } from 'node:http'
import { exportRequest } from '../data/export-request.ts'
import type { Content } from '../data/nested-text.ts'
import { createRandom } from '../data/random.ts'
import type { Target } from '../load/load-plan.ts'
import { post } from '../load/post.ts'

export interface FillOptions {
  agent: Agent
  target: Target
  corpus: string
  spans: number
  textBytes: number
  /** Default: plain. */
  content?: Content | undefined
  /** The spans start evenly over the time before this one. Milliseconds since 1970. */
  untilMs: number
  overMs: number
  /** Spans that were sent before, whose ids are not used again. Default: none. */
  sentBefore?: number | undefined
}

/** Calls to ask for. */
export interface Sample {
  /** Ids from all over the time. */
  ids: string[]
  /** Ids of calls that belong to traces of 100 spans. */
  idsOfLongTraces: string[]
}

const spansOfRequest = 100
const connections = 4
/** Different requests; every eighth is one long trace, the second holds the rare word. */
const bodies = 64
const requestsOfLongTrace = 8
const attempts = 20

/** Sends `options.spans` spans, rounded up to whole requests. @throws Error if the server refuses a request */
export async function fillStore(options: FillOptions): Promise<Sample> {
  const requests = Math.ceil(options.spans / spansOfRequest)
  const sample: Sample = { ids: [], idsOfLongTraces: [] }
  const first = Math.ceil((options.sentBefore ?? 0) / spansOfRequest)
  let next = first
  async function fillOver(connection: number): Promise<void> {
    const own = bodiesOf(options, connection)
    while (next < first + requests) {
      const sequence = next++
      const isLong = sequence % requestsOfLongTrace === 0
      const body = own(sequence % bodies)
      body.stamp(sequence, options.untilMs - options.overMs * (1 - (sequence - first) / requests))
      await sendPatiently(options, body.bytes)
      const [id = ''] = body.idsOf(sequence)
      ;(isLong ? sample.idsOfLongTraces : sample.ids).push(id)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => fillOver(connection)))
  return sample
}

/** Bodies of one connection, each made when it is first used: no other connection may use their bytes. */
function bodiesOf({ corpus, textBytes, content }: FillOptions, connection: number) {
  const made = new Map<number, ReturnType<typeof exportRequest>>()
  return (kind: number) => {
    const known = made.get(kind)
    if (known !== undefined) return known
    const source = { corpus, random: createRandom(connection * bodies + kind + 1) }
    const spansOfTrace = kind % requestsOfLongTrace === 0 ? spansOfRequest : 10
    const body = exportRequest({ spans: spansOfRequest, spansOfTrace, textBytes, content, source, hasRareWord: kind === 1 })
    made.set(kind, body)
    return body
  }
}

async function sendPatiently({ agent, target }: FillOptions, body: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { status, text } = await post({ agent, target, path: '/otel/v1/traces', contentType: 'application/x-protobuf', body })
    if (status === 200) return
    if (attempt === attempts || (status !== 429 && status !== 503))
      throw new Error(`spans were answered with ${status}: ${text.slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
