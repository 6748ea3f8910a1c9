import type { Constraint } from '../../../constrained/constraint.ts'
import type { BaseModel } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'

/** The prepared fields of a prompt. It can be cloned, so that a thread may create it. */
export interface PreparedPrompt {
  tokens: Int32Array
  constraint: Constraint | null
  /** Whether tool calls are parsed from the answer. */
  mayCall: boolean
  /** Name of the tag with which the prompt opened the reasoning; null if the answer itself opens it, if at all. */
  reasoningTag: string | null
  /** True where no chat template wrote it: its completion is text alone. */
  isPlain: boolean
}

export interface PrepareOptions {
  base: Pick<BaseModel, 'id' | 'contextLength'>
  tokenizer: ChatTokenizer
  /** Steps on schemas beyond which `SchemaWorkError` is thrown, so that a thread can take over. Default: no bound. */
  maxSchemaWork?: number
}
