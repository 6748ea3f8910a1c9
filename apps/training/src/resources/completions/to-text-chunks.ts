import type { ChatCompletionChunk, TextCompletion } from '@heddle/core-api/types'
import { type CompletedPrompt, type Echo, echoOf, toTextLogprobs } from './to-text-choices.ts'

/** Where the next token of each completion begins. */
type Offsets = Map<number, number>

export interface StreamedPrompt extends CompletedPrompt {
  /** Index of the first completion of this prompt. */
  firstIndex: number
  offsets: Offsets
}

/** The choices of a chunk of one prompt: its first has the echo, with no token yet. */
export function toTextChunks({ choices }: ChatCompletionChunk, streamed: StreamedPrompt): TextCompletion['choices'] {
  const { request, firstIndex, offsets } = streamed
  return choices.map(({ index, delta, logprobs, finish_reason }) => {
    const isFirst = !offsets.has(index)
    const echoed: Echo = isFirst ? echoOf(streamed) : { text: '', entries: [], start: offsets.get(index)! }
    const entries = [...echoed.entries, ...(logprobs?.content ?? [])]
    offsets.set(
      index,
      entries.reduce((offset, { token }) => offset + token.length, echoed.start),
    )
    return {
      index: firstIndex + index,
      text: echoed.text + (delta.content ?? ''),
      logprobs: request.logprobs === null ? null : toTextLogprobs(entries, echoed.start),
      finish_reason: finish_reason === null ? null : finish_reason === 'length' ? 'length' : 'stop',
    }
  })
}
