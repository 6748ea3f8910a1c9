import { randomBytes } from 'node:crypto'
import { formatTimestamp, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { TraceNode } from '@heddle/trace-model'
import type { WrittenForest } from '@heddle/trace-model/testing'
import { expect } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'

type Kind = WrittenForest['kinds'][number]

/** A trace as it is sent: its nodes have the ids and the times of its calls. */
export interface SentTrace extends WrittenForest {
  traceId: string
}

/**
 * A forest with ids that no other trace has, in times after `startMs`, and without what its wire cannot say.
 * @param hoursEarlier by how much the times of a node are earlier, by its place
 */
export function toSentTrace({ nodes, kinds }: WrittenForest, startMs: number, hoursEarlier: readonly number[] = []): SentTrace {
  const prefix = randomBytes(6).toString('hex')
  const idOf = (id: string) => prefix + Number(id.slice(1)).toString(16).padStart(4, '0')
  const timeOf = (small: number, at: number) => (startMs + small * 10 - (hoursEarlier[at] ?? 0) * 3_600_000) * 1_000
  return {
    traceId: randomBytes(16).toString('hex'),
    kinds,
    nodes: nodes.map((node, at): TraceNode => {
      const isSpan = node.wire === 'otlp'
      // Spans are sent when they have ended, and a tracing client sends usage and errors with the end.
      const isOpen = !isSpan && node.endedAt === null && node.status === 'running' && node.usage.length === 0
      return {
        ...node,
        id: idOf(node.id),
        parentId: node.parentId && idOf(node.parentId),
        startedAt: timeOf(node.startedAt, at),
        endedAt: isOpen ? null : timeOf(node.endedAt ?? node.startedAt + 1, at),
        status: isOpen ? 'running' : node.status === 'running' ? 'success' : node.status,
        scope: isSpan ? node.scope : null,
        responseId: isSpan ? node.responseId : null,
      }
    }),
  }
}

/** Whether a call is a turn of the thread that it names: tracing clients report it, and a span is one if it names no parent. */
export function isSentAsTurn({ id, parentId, threadId, wire }: TraceNode, kind: Kind): boolean {
  if (threadId === null) return false
  return wire === 'otlp' ? parentId === null : kind === 'W' && Number.parseInt(id.slice(-4), 16) % 2 === 0
}

/** Texts that a call is sent with: model calls say something, and the response of a client's call may name the tier of service that answered, and nothing else. */
export function messagesOfSent({ id, isModelCall, endedAt, wire, usage: [use] }: TraceNode): { input?: string; output?: string } {
  if (isModelCall) return { input: `to ${id}`, ...(endedAt !== null && { output: `from ${id}` }) }
  const tier = wire === 'client' && endedAt !== null ? use?.serviceTier : undefined
  return tier === undefined ? {} : { output: tier }
}

/** Sends traces by both wires, spans first. */
export async function sendTraces(
  { url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>,
  project: string,
  traces: readonly SentTrace[],
): Promise<void> {
  const calls = traces.flatMap(({ traceId, nodes, kinds }) => nodes.map((node, at) => ({ node, traceId, kind: kinds[at]! })))
  const spans = calls.filter(({ node }) => node.wire === 'otlp')
  const scopeSpans = [...new Set(spans.map(({ node }) => node.scope))].map((name) => ({
    ...(name !== null && { scope: { name } }),
    spans: spans.filter(({ node }) => node.scope === name).map(toSpan),
  }))
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', project_id: project }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans }] })
  expect((await fetch(`${url}/otel/v1/traces`, { method: 'POST', headers, body })).status).toBe(200)
  const client = createClient({ baseUrl: url, apiKey, contract: tracing })
  const batch = calls.filter(({ node }) => node.wire === 'client').flatMap((call) => toHalves(call, project))
  if (batch.length > 0) await client.calls.upsertBatch({ batch })
}

interface Sent {
  node: TraceNode
  traceId: string
  kind: Kind
}

const operations: Partial<Record<Kind, string>> = { L: 'chat', A: 'invoke_agent', C: 'invoke_workflow', T: 'execute_tool' }

/** Names under which spans say which tier of service answered them. */
const tierNames = [
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
  'openai.request.service_tier',
  'gen_ai.openai.request.service_tier',
] as const

function toSpan({ node, traceId, kind }: Sent) {
  const [use] = node.usage
  const said = messagesOfSent(node)
  const message = (role: string, content: string | undefined) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const count = (key: string, value: number) => ({ key, value: { intValue: String(value) } })
  return {
    traceId,
    spanId: node.id,
    ...(node.parentId !== null && { parentSpanId: node.parentId }),
    name: kind,
    startTimeUnixNano: `${node.startedAt}000`,
    endTimeUnixNano: `${node.endedAt}000`,
    ...(node.status === 'error' && { status: { code: 2, message: 'failed' } }),
    attributes: [
      text('gen_ai.operation.name', operations[kind] ?? 'chat'),
      ...(node.responseId === null ? [] : [text('gen_ai.response.id', node.responseId)]),
      ...(said.input === undefined
        ? []
        : [text('gen_ai.input.messages', message('user', said.input)), text('gen_ai.output.messages', message('assistant', said.output))]),
      ...(node.threadId === null ? [] : [text('session.id', node.threadId)]),
      ...(use === undefined
        ? []
        : [
            text('gen_ai.request.model', use.model),
            ...(use.serviceTier === undefined
              ? []
              : [text(tierNames[Number.parseInt(node.id.slice(-4), 16) % tierNames.length]!, use.serviceTier)]),
            ...(isTotalAlone(use)
              ? [count('gen_ai.usage.total_tokens', use.counts.total)]
              : [count('gen_ai.usage.input_tokens', use.counts.input), count('gen_ai.usage.output_tokens', use.counts.output)]),
          ]),
    ],
  }
}

const isTotalAlone = ({ counts: { input, output, total } }: TraceNode['usage'][number]) => total > 0 && input + output === 0

function toHalves({ node, traceId, kind }: Sent, project_id: string) {
  const said = messagesOfSent(node)
  const start = {
    project_id,
    id: node.id,
    trace_id: traceId,
    parent_id: node.parentId,
    thread_id: node.threadId,
    turn_id: isSentAsTurn(node, kind) ? node.id : null,
    op_name: kind,
    started_at: formatTimestamp(node.startedAt),
    attributes: { kind: kind === 'WL' ? 'llm' : 'chain' },
    inputs: said.input === undefined ? {} : { messages: [{ role: 'user', content: said.input }] },
  }
  const usage = Object.fromEntries(
    node.usage.map((use) => {
      const { input, output, total } = use.counts
      const parts = isTotalAlone(use) ? {} : { prompt_tokens: input, completion_tokens: output }
      return [use.model, { requests: use.requestTokens === undefined ? 2 : 1, ...parts, total_tokens: total }]
    }),
  )
  const end =
    node.endedAt === null
      ? []
      : [
          {
            mode: 'end',
            req: {
              end: {
                project_id,
                id: node.id,
                ended_at: formatTimestamp(node.endedAt),
                exception: node.status === 'error' ? 'failed' : null,
                output: outputOf(node),
                summary: { usage, ...(node.status === 'descendant_error' && { status_counts: { error: 1 } }) },
              },
            },
          },
        ]
  return [{ mode: 'start', req: { start } }, ...end]
}

function outputOf(node: TraceNode) {
  const tier = node.usage[0]?.serviceTier
  const content = node.isModelCall ? messagesOfSent(node).output : undefined
  if (content === undefined && tier === undefined) return null
  return {
    ...(tier !== undefined && { service_tier: tier }),
    ...(content !== undefined && { choices: [{ index: 0, message: { role: 'assistant', content } }] }),
  }
}
