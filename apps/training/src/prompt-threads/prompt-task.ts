import type { TaskFailure } from '../body-threads/task-failure.ts'
import type { BaseModel } from '../engine/engine.ts'
import type { PreparedPrompt } from '../resources/chat-completions/request/prepare-prompt.ts'

/** A prompt for a thread. */
export interface PromptTask {
  /** JSON of the fields of the request. */
  text: string
  base: Pick<BaseModel, 'id' | 'contextLength' | 'folder'>
}

export type FromPromptThread = { prepared: PreparedPrompt } | { failure: TaskFailure }
