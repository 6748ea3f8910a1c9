import type { Micros } from '@heddle/datastore'

/** A request of a client of the Tinker API, as the tracing service records it: one that has ended. */
export interface TracedCall {
  id: string
  trace_id: string
  /** Null for the root of its trace. */
  parent_id: string | null
  op_name: string
  thread_id: string
  started_at: Micros
  ended_at: Micros
  inputs: Record<string, unknown>
  output: Record<string, unknown> | null
  /** Why it failed. Null where it did not. */
  exception: string | null
  /** Tokens by the name of a model. Null for a request that takes and makes no text. */
  usage: { model: string; promptTokens: number; completionTokens: number } | null
  user_id: string
  /** The model, as `entity/project/name`, and its optimizer steps since it was loaded. Null for samples of a base model. */
  run: { id: string; step: number } | null
}

/** Stores calls of a project. Resolves when they are durable. @throws whatever keeps them from being stored */
export type RecordCalls = (projectId: string, calls: readonly TracedCall[], signal: AbortSignal) => Promise<void>
