import { type JsonObject, training } from '@heddle/core-api'
import { invalid, parsePaced } from '@heddle/core-api/internal'
import type { ChatCompletionRequest } from '@heddle/core-api/types'
import { timeSlices, toIssues } from '@heddle/service-kit'

/** Reads a request that another part of the server wrote. @throws ApiError 422 that names the field */
export async function parseChatRequest(given: JsonObject): Promise<ChatCompletionRequest> {
  const parsed = await parsePaced(training.chatCompletions.create.body, given, timeSlices.begin())
  if (!parsed.success) throw invalid(toIssues(parsed.error, { root: 'body', input: given }))
  return parsed.data
}
