import type { ChatCompletionRequest } from '@heddle/core-api/types'
import { refuse } from './refuse.ts'

const maxCharacters = 1_000

/** Texts that end a completion. @throws ApiError 400 for an empty or a long one */
export function readStop(stop: ChatCompletionRequest['stop']): string[] {
  const texts = typeof stop === 'string' ? [stop] : (stop ?? [])
  for (const text of texts) {
    if (text === '') throw refuse('stop', 'has an empty text, which would end every completion at once')
    if (text.length > maxCharacters) throw refuse('stop', `has a text of ${text.length} characters; at most ${maxCharacters} are possible`)
  }
  return texts
}
