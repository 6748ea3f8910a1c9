import type { TaskFailure } from '../../../body-threads/task-failure.ts'
import type { BaseModel } from '../../../engine/engine.ts'
import type { PreparedPrompt } from '../request/prepared-prompt.ts'

/** A prompt for a thread. */
export interface PromptTask {
  /** JSON of the fields of the request. */
  text: string
  base: Pick<BaseModel, 'id' | 'contextLength' | 'folder'>
}

export type FromPromptThread = { prepared: PreparedPrompt } | { failure: TaskFailure }

/** Limits of a request's JSON, which were checked on arrival. */
export const unlimited = { maxDepth: 10_000, maxKeys: Infinity }
