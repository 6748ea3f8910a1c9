import { badRequest } from '@heddle/core-api/internal'
import type { TinkerSamplingParams } from '@heddle/core-api/types'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'

/** What ends a sample, and is its last token or the end of its text. */
export interface Stops {
  tokens: number[]
  texts: string[]
}

/**
 * Nothing given: the tokens that end a turn of the model, which also end a sample in addition to the given ones. An empty list: nothing but the length.
 * @throws ApiError 400 for a token outside the vocabulary, and for an empty text
 */
export function readStops(stop: TinkerSamplingParams['stop'], { special, vocabularySize }: ChatTokenizer): Stops {
  const given = stop === null ? null : typeof stop === 'string' ? [stop] : stop
  const texts = given?.filter((each) => typeof each === 'string') ?? []
  const tokens = given?.filter((each) => typeof each === 'number') ?? []
  if (texts.includes('')) throw badRequest('sampling_params.stop has an empty text, which would end every sample at once')
  const unknown = tokens.find((token) => token < 0 || token >= vocabularySize)
  if (unknown !== undefined) throw badRequest(`sampling_params.stop has the token ${unknown}; ids are 0 to ${vocabularySize - 1}`)
  const ofTurn = given?.length === 0 ? [] : special.stop
  return { tokens: [...new Set([...ofTurn, ...tokens])], texts }
}
