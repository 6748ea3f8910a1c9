import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { buildTree } from '@heddle/trace-model'
import { expect, vi } from 'vitest'
import type { TracingClient } from '../connect.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from './built-test-server.ts'
import { connectCurrent, type ToolResult } from './mcp-clients.ts'
import { runCommandHere } from './run-command.ts'

/** Everything by which people and programs see what a server holds. */
export interface Surfaces {
  server: TestServer
  /** The API. */
  client: TracingClient
  /** What the command prints with `--json`. It must note nothing. */
  command(args: readonly string[]): Promise<Record<string, unknown>[]>
  /** The data that a tool for assistants answers with. */
  ask(tool: string, args: object): Promise<Record<string, Record<string, unknown>[]>>
  /** All entries of a tool's list, from as many answers as it takes. */
  askAll(tool: string, list: string, args: object): Promise<Record<string, unknown>[]>
  /** The functions by which the pages compute what they show. */
  page: typeof import('@heddle/web/testing')
  /** A trace as its page computes it. */
  pageOfTrace(project_id: string, trace_id: string, call_id: string): Promise<PageOfTrace>
  close(): Promise<void>
}

type Page = typeof import('@heddle/web/testing')

export interface PageOfTrace {
  calls: Awaited<ReturnType<Page['readTree']>>['calls']
  settled: NonNullable<ReturnType<Page['settleUsage']>>
  totals: ReturnType<Page['totalUsage']>
}

const usageOfPage = 1_000

const dataOf = (answer: ToolResult['structuredContent']) => answer?.data as Record<string, Record<string, unknown>[]>

/** Opens all surfaces of the server that the test files of a worker share. */
export async function openSurfaces(): Promise<Surfaces> {
  const server = await shareBuiltTestServer()
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const mcp = await connectCurrent({ url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } })
  vi.stubGlobal('window', { location: new URL(server.url) })
  const page = await import('@heddle/web/testing')
  vi.unstubAllGlobals()

  async function answerOf(tool: string, args: object) {
    const { structuredContent } = await mcp.call(tool, args as Record<string, unknown>)
    expect(structuredContent?.error).toBeUndefined()
    return structuredContent
  }

  return {
    server,
    client,
    page,
    async command(args) {
      const { out, note } = await runCommandHere([...args, '--json', '--url', server.url], { HEDDLE_API_KEY: server.apiKey })
      expect(note).toBe('')
      return JSON.parse(out) as Record<string, unknown>[]
    },
    ask: async (tool, args) => dataOf(await answerOf(tool, args)),
    async askAll(tool, list, args) {
      const all: Record<string, unknown>[] = []
      for (let cursor: string | undefined; ;) {
        const answer = await answerOf(tool, { ...args, max_tokens: 20_000, ...(cursor !== undefined && { cursor }) })
        all.push(...(dataOf(answer)[list] ?? []))
        cursor = answer?.page?.next_cursor
        if (cursor === undefined) return all
      }
    },
    async pageOfTrace(project_id, trace_id, call_id) {
      const { calls } = await page.readTree(client.calls.streamTrace({ project_id, call_id }))
      const query = { project_id, filter: { trace_ids: [trace_id] }, columns: [...page.usageColumns], include_costs: true }
      const { usage } = await page.readUsage(client.calls.streamQuery(query), usageOfPage)
      const settled = page.settleUsage(calls, usage)!
      return { calls, settled, totals: page.totalUsage(buildTree(calls), page.countedUsage(settled, usage)) }
    },
    close: () => mcp.close(),
  }
}
