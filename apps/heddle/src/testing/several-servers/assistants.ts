import { randomUUID } from 'node:crypto'
import type { TracingClient, TrainingClient } from '../../connect.ts'
import { connectCurrent, connectOlder, type McpClient } from '../mcp-clients.ts'
import { recordTraces } from '../record-traces.ts'
import { Unanswered, untilAnswered, type Work } from './work.ts'

const project = 'killed/assistants'
const traces = 7

interface Clients {
  tracing: TracingClient
  training: TrainingClient
}

/** Assistants of both revisions of MCP that stay connected: they read lists page by page, and delete a model after asking. */
export async function assistants(url: string, apiKey: string, { tracing, training }: Clients): Promise<Work> {
  const ids = await recordTraces(
    tracing,
    project,
    Array.from({ length: traces }, (_, at) => ({
      question: `Question ${at}`,
      answer: 'Answer',
      model: 'small',
      startedAtMs: Date.now() - at * 1_000,
      latencyMs: 100,
      tokens: 100,
    })),
  )
  const address = { url: `${url}/mcp`, headers: { authorization: `Bearer ${apiKey}`, 'x-heddle-toolsets': 'traces,training' } }
  const current = await connectCurrent(address)
  let isAskedFor: string | undefined
  current.client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: isAskedFor ?? '' } }))
  const older = await connectOlder(address)
  const found: string[] = []

  /** The walk begins again only where a request had no answer. */
  async function walk(client: McpClient): Promise<void> {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { structuredContent } = await untilAnswered(() =>
        called(client, 'traces_search', { project, limit: 2, ...(cursor && { cursor }) }),
      )
      const { data, page, error } = structuredContent ?? {}
      if (error) return void found.push(`a page was answered with ${error.message}`)
      for (const { trace_id } of data.traces as { trace_id: string }[]) seen.push(trace_id)
      cursor = page?.next_cursor
    } while (cursor !== undefined)
    if (seen.join() !== ids.join()) found.push(`a walk gave ${seen.length} of ${traces} traces, or others`)
  }

  async function deleteModel(): Promise<void> {
    const name = `model-${randomUUID()}`
    const { id: model_id } = await training.models.create({ entity: 'killed', project: 'assistants', name, base_model: 'heddle-nano' })
    isAskedFor = name
    // A deletion whose answer was lost finds no model the next time.
    const { structuredContent } = await untilAnswered(() => called(current, 'model_delete', { model_id }))
    const { data, error } = structuredContent ?? {}
    if (data?.deleted !== true && error?.code !== 'not_found') found.push(`a model was not deleted: ${JSON.stringify(structuredContent)}`)
  }

  return {
    name: 'assistants',
    async step() {
      await walk(current)
      await walk(older)
      await deleteModel()
    },
    async faults() {
      await Promise.all([current.close(), older.close()])
      return found
    },
  }
}

/** @throws Unanswered */
async function called(client: McpClient, name: string, args: Record<string, unknown>) {
  const result = await client.call(name, args).catch((error: unknown) => {
    throw isOfProtocol(error) ? error : new Unanswered(`no answer of ${name}`, { cause: error })
  })
  const { error } = result.structuredContent ?? {}
  if (error?.retryable === true) throw new Unanswered(error.message)
  return result
}

/** True for what a server answered; codes of transports are those of HTTP, or words. */
function isOfProtocol(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'number' && code <= -32_600
}
