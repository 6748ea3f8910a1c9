import { type ClientOptions, OpenAI } from 'openai'
import type { TrainingServer } from './start-training-app.ts'

/** The published client of a server in this process. It does not repeat requests. */
export function openAiClient(
  { service, apiKey }: Pick<TrainingServer, 'service' | 'apiKey'>,
  options: Pick<ClientOptions, 'project' | 'fetch'> = {},
): OpenAI {
  return new OpenAI({
    baseURL: 'http://heddle.test/v1',
    apiKey,
    maxRetries: 0,
    fetch: (input, init) => service.fetch(new Request(input, init)),
    ...options,
  })
}
