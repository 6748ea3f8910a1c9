import { randomBytes } from 'node:crypto'
import { stringifyJson } from '@heddle/json/exact'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Answer, type Envelope } from '../answer/answer.ts'
import { cleanText, createRecordedText, mapTexts } from '../answer/clean-text.ts'
import { createCursorCodec } from '../answer/cursor.ts'
import { estimateTokens } from '../answer/estimate-tokens.ts'
import { fitAnswer } from '../answer/fit-answer.ts'
import { toStructured } from '../answer/structured-content.ts'
import { type ErrorInfo, toErrorInfo } from '../answer/tool-error.ts'
import { type Confirmation, isConfirmation } from '../tools/confirmation.ts'
import { parseArguments, type ToolInput } from '../tools/schema/parse-arguments.ts'
import type { Tool } from '../tools/tool.ts'
import { parseProject, type Progress, type ToolContext } from '../tools/tool-context.ts'
import { toolNames } from '../tools/tools.ts'
import type { McpCaller } from '../connection/caller.ts'
import { connectServices } from '../connection/connect-services.ts'
import type { CallEntry, ServerOptions, TraceCarrier } from '../connection/server-options.ts'

const defaultMaxTokens = 4_000
const maxAnswerTokens = 20_000
/** Below that not even an error fits. */
const leastTokens = 500

/** Properties of a call in addition to its arguments. */
export interface CallContext {
  signal: AbortSignal
  report: (progress: Progress) => void
  /** See `ToolContext`. */
  confirmed?: string
  caller: McpCaller
  /** See `CallEntry`. */
  trace?: TraceCarrier
}

export type CallOutcome = { kind: 'result'; result: CallToolResult } | { kind: 'confirm'; confirmation: Confirmation['confirm'] }

/** Calls tools: reads arguments, fits answers, and turns every failure into a result that the model can fix. */
export type CallTool = (tool: Tool, given: unknown, call: CallContext) => Promise<CallOutcome>

export function createCallTool(options: ServerOptions): CallTool {
  const { now = Date.now, onCall } = options
  const sealKey = options.sealKey ?? randomBytes(32)
  const recorded = createRecordedText(toolNames) as ToolContext['recorded']

  return async (tool, given, { caller, trace, ...call }) => {
    const startedAtMs = Date.now()
    const startedAt = performance.now()
    const finish = (result: CallToolResult, text: string, failure: Pick<CallEntry, 'error' | 'cause'> = {}): CallOutcome => {
      onCall?.({
        tool: tool.name,
        startedAtMs,
        ...(trace && { trace }),
        argumentSizes: sizesOf(given),
        ...(options.logArguments && { arguments: given }),
        durationMs: performance.now() - startedAt,
        tokens: estimateTokens(text),
        ...failure,
      })
      return { kind: 'result', result }
    }
    try {
      const input = parseArguments(tool, given)
      const query = queryOf(tool, input)
      const cursor = input['cursor']
      const cursors = createCursorCodec(caller.sealKey ?? sealKey)
      const context: ToolContext = {
        ...connectServices(options, caller),
        project: () => parseProject((input['project'] as string | undefined) ?? options.project),
        now,
        page: typeof cursor === 'string' ? cursors.read(cursor, query) : { offset: 0 },
        recorded,
        allowsWrites: [options, caller.choice ?? options, caller.wanted ?? options].every(
          (choice) => choice.allowWrites === true && choice.readOnly !== true,
        ),
        ...call,
      }
      const answer = await tool.run(input, context)
      if (isConfirmation(answer)) return { kind: 'confirm', confirmation: answer.confirm }
      const wanted = (input['max_tokens'] as number | undefined) ?? defaultMaxTokens
      const maxTokens = Math.max(leastTokens, Math.min(wanted, options.maxTokens ?? maxAnswerTokens))
      const { text, envelope } = fitAnswer(clean(answer), { maxTokens, cursorOf: (start) => cursors.write(start, query) })
      return finish(toResult(text, envelope, answer), text)
    } catch (error) {
      call.signal.throwIfAborted()
      const info = toErrorInfo(error)
      const { text, result } = toErrorResult(info)
      return finish(result, text, { error: info.code, ...(info.code === 'internal' && { cause: error }) })
    }
  }
}

/** The query that a cursor belongs to: everything but the page and its size. */
function queryOf(tool: Tool, input: ToolInput): unknown {
  const { cursor: _cursor, limit: _limit, max_tokens: _tokens, ...rest } = input
  return [tool.name, rest]
}

/** Nothing that a service answers may hide characters. */
function clean(answer: Answer): Answer {
  return { ...answer, headline: cleanText(answer.headline), data: mapTexts(answer.data, cleanText) as Answer['data'] }
}

function toResult(text: string, envelope: Envelope, { links = [] }: Answer): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...links.map((link) => ({ type: 'resource_link' as const, mimeType: 'application/json', ...link }))],
    structuredContent: toStructured(envelope) as Record<string, unknown>,
  }
}

export function toErrorResult(info: ErrorInfo): { text: string; result: CallToolResult } {
  const error = { ...info, message: cleanText(info.message) }
  const id = error.request_id === undefined ? '' : ` Request ID: ${error.request_id}.`
  const text = `${error.message}. ${error.hint}${id}`
  return { text, result: { isError: true, content: [{ type: 'text', text }], structuredContent: { error } } }
}

function sizesOf(given: unknown): Record<string, number> {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(
    Object.entries(given)
      .slice(0, 20)
      .map(([name, value]) => [name.slice(0, 60), stringifyJson(value).length]),
  )
}
