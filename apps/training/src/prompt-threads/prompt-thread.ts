import { type MessagePort, parentPort } from 'node:worker_threads'
import { toTaskFailure } from '../body-threads/task-failure.ts'
import { preparePrompt } from '../resources/chat-completions/request/prepare-prompt.ts'
import type { PromptRequest } from '../resources/chat-completions/request/prompt-request.ts'
import { createTokenizers } from '../tokenizer/tokenizers.ts'
import type { FromPromptThread, PromptTask } from './prompt-task.ts'

/** The entry of a thread: prepares one prompt at a time, and keeps the tokenizers that it has read. */
const port = parentPort as MessagePort
const tokenizers = createTokenizers()

async function answer({ text, base }: PromptTask): Promise<FromPromptThread> {
  try {
    return { prepared: preparePrompt(JSON.parse(text) as PromptRequest, base, await tokenizers.of(base.folder)) }
  } catch (error) {
    return { failure: toTaskFailure(error) }
  }
}

port.on('message', async (task: PromptTask) => port.postMessage(await answer(task), []))
