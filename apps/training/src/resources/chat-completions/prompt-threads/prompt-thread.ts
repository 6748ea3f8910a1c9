import { type MessagePort, parentPort } from 'node:worker_threads'
import { parseJson } from '@heddle/json'
import { toTaskFailure } from '../../../body-threads/task-failure.ts'
import { preparePrompt } from '../request/prepare-prompt.ts'
import type { PromptRequest } from '../request/prompt-request.ts'
import { createTokenizers } from '../../../tokenizer/tokenizers.ts'
import { type FromPromptThread, type PromptTask, unlimited } from './prompt-task.ts'

/** The entry of a thread: prepares one prompt at a time, and keeps the tokenizers that it has read. */
const port = parentPort as MessagePort
const tokenizers = createTokenizers()

async function answer({ text, base }: PromptTask): Promise<FromPromptThread> {
  try {
    const tokenizer = await tokenizers.of(base.folder)
    return { prepared: preparePrompt(parseJson(text, unlimited) as PromptRequest, { base, tokenizer }) }
  } catch (error) {
    return { failure: toTaskFailure(error) }
  }
}

port.on('message', async (task: PromptTask) => port.postMessage(await answer(task), []))
