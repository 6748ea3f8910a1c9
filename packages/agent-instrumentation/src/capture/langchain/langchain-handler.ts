import type { Attributes } from '@opentelemetry/api'
import type { JsonObject } from '@heddle/core-api'
import type { ActiveTrajectory } from '../active-trajectory.ts'
import { isJsonObject } from '../json-values.ts'
import type { Recorder } from '../recorder.ts'
import { createRunSpans } from '../run-spans.ts'
import type { LangChainMessage, LangChainParams, LangChainResult } from './langchain-run.ts'
import { createReportedModelCalls } from './reported-model-calls.ts'

/** Callback handler for LangChain and LangGraph: give it as `callbacks: [agent.langChainHandler]` to a graph, a chain or a model. */
export interface LangChainHandler {
  name: string
  /** The program's next steps are recorded after the response, in the context of the trajectory. */
  awaitHandlers: true
  raiseError: false
  handleChatModelStart(
    model: unknown,
    messages: LangChainMessage[][],
    runId: string,
    parentRunId?: string,
    params?: LangChainParams,
    tags?: string[],
    metadata?: JsonObject,
  ): void
  handleLLMNewToken(token: string, place: unknown, runId: string, parentRunId?: string, tags?: string[], fields?: unknown): void
  handleLLMEnd(result: LangChainResult, runId: string): void
  handleLLMError(error: unknown, runId: string): void
  /** The parent is the fourth value, or the eighth in later versions. */
  handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    fourth?: string,
    tags?: string[],
    metadata?: JsonObject,
    seventh?: string,
    eighth?: string,
  ): void
  handleChainEnd(outputs: unknown, runId: string): void
  handleChainError(error: unknown, runId: string): void
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: JsonObject,
    name?: string,
    toolCallId?: string,
  ): void
  handleToolEnd(output: unknown, runId: string): void
  handleToolError(error: unknown, runId: string): void
}

export interface LangChainHandlerOptions {
  recorderNow: () => Recorder | undefined
  trajectoryNow: () => Pick<ActiveTrajectory, 'metadata'> | undefined
  captureContent: boolean
}

/** Spans of nodes, chains and tools, and the model calls that no source that sees them travel has recorded. Outside of a trajectory it does nothing. */
export function createLangChainHandler({ recorderNow, trajectoryNow, captureContent }: LangChainHandlerOptions): LangChainHandler {
  const spans = createRunSpans()
  const calls = createReportedModelCalls({ recorderNow, contextOf: spans.contextOf })
  const fail = (error: unknown, runId: string) => spans.end(runId, { error: String(error) })

  return {
    name: 'heddle',
    awaitHandlers: true,
    raiseError: false,
    handleChatModelStart(_model, [messages = []], runId, parentRunId, params = {}, _tags, metadata = {}) {
      calls.start({ runId, parentRunId, messages, params, metadata })
    },
    handleLLMNewToken: (_token, place, runId, _parent, _tags, fields) => calls.addPiece(runId, { place, fields }),
    handleLLMEnd: (result, runId) => calls.end(runId, result),
    handleLLMError: (error, runId) => calls.fail(runId, error),
    handleChainStart(chain, _inputs, runId, fourth, tags = [], metadata = {}, seventh, eighth) {
      if (!recorderNow() || spans.has(runId)) return
      const parentId = [fourth, eighth].find((id) => id !== undefined && spans.has(id))
      if (parentId === undefined && typeof metadata['thread_id'] === 'string') trajectoryNow()?.metadata('thread_id', metadata['thread_id'])
      if (tags.includes('langsmith:hidden')) return spans.pass({ id: runId, parentId })
      const name = (parentId === fourth ? eighth : seventh) ?? nameOf(chain)
      spans.start({ id: runId, parentId, name, attributes: chainAttributes(metadata) })
    },
    handleChainEnd(_outputs, runId) {
      spans.end(runId)
    },
    handleChainError: fail,
    handleToolStart(tool, input, runId, parentId, _tags, _metadata, runName, toolCallId) {
      if (!recorderNow() || spans.has(runId)) return
      const name = runName ?? nameOf(tool)
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        ...(toolCallId !== undefined && { 'gen_ai.tool.call.id': toolCallId }),
        ...(captureContent && { 'gen_ai.tool.call.arguments': input }),
      }
      spans.start({ id: runId, parentId, name: `execute_tool ${name}`, attributes })
    },
    handleToolEnd(output, runId) {
      if (spans.has(runId)) spans.end(runId, captureContent ? { attributes: { 'gen_ai.tool.call.result': resultText(output) } } : {})
    },
    handleToolError: fail,
  }
}

function chainAttributes({ langgraph_node: node, langgraph_step: step, thread_id: thread }: JsonObject): Attributes {
  return {
    ...(typeof node === 'string' && { 'langgraph.node': node }),
    ...(typeof step === 'number' && { 'langgraph.step': step }),
    ...(typeof thread === 'string' && { 'gen_ai.conversation.id': thread }),
  }
}

/** Serialized runnables are named by the last part of their id. */
function nameOf(serialized: unknown): string {
  if (!isJsonObject(serialized)) return 'unknown'
  const { name, id } = serialized
  if (typeof name === 'string') return name
  return Array.isArray(id) && id.length > 0 ? String(id.at(-1)) : 'unknown'
}

/** Tools return texts, messages with a content, or any other value. */
function resultText(output: unknown): string {
  const content = isJsonObject(output) && 'content' in output ? output['content'] : output
  if (typeof content === 'string') return content
  try {
    return JSON.stringify(content) ?? ''
  } catch {
    return String(content)
  }
}
