import type { ChatCompletionChunk } from '@heddle/core-api/types'
import type { ChoiceCall, ChoiceDelta, ChoiceEnd } from '../generation/choice-writer.ts'
import { promptIds, type ResponseHead, toUsage } from './response-head.ts'

type ChunkChoice = ChatCompletionChunk['choices'][number]

/**
 * The parts of a completion in order. The first lists all choices, since clients pair the choices of later ones by position: so every chunk has all
 * choices. A finish reason is repeated in all following chunks, and the usage is in the last one.
 */
export async function* toChunks(
  head: ResponseHead,
  parts: AsyncIterable<ChoiceDelta[]>,
  includeUsage: boolean,
): AsyncGenerator<ChatCompletionChunk> {
  const { plan } = head
  const ends: (ChoiceEnd | null)[] = plan.seeds.map(() => null)
  let completionTokens = 0
  let isFirst = true
  for await (const deltas of parts) {
    if (isFirst)
      yield {
        ...chunkOf(
          head,
          plan.seeds.map((_, index) => emptyChoice(index, { role: 'assistant', content: '' }, head)),
        ),
        ...promptIds(plan),
      }
    isFirst = false
    completionTokens += deltas.reduce((sum, { tokens }) => sum + tokens.length, 0)
    for (const pieces of splitCalls(deltas)) {
      for (const { index, end } of pieces) ends[index] = end ?? ends[index]!
      const isLast = ends.every((end) => end !== null)
      const chunk = chunkOf(
        head,
        ends.map((end, index) => toChoice({ index, end, delta: pieces.find((piece) => piece.index === index), head })),
      )
      yield isLast && !includeUsage ? { ...chunk, usage: toUsage({ prompt: plan.prompt.length, completion: completionTokens }) } : chunk
    }
  }
  if (includeUsage) yield { ...chunkOf(head, []), usage: toUsage({ prompt: plan.prompt.length, completion: completionTokens }) }
}

function chunkOf({ id, created, plan }: ResponseHead, choices: ChunkChoice[]): ChatCompletionChunk {
  return { id, object: 'chat.completion.chunk', created, model: plan.model, choices }
}

function emptyChoice(index: number, delta: ChunkChoice['delta'], { plan }: ResponseHead): ChunkChoice {
  return { index, delta, logprobs: plan.report.logprobs ? { content: [] } : null, finish_reason: null }
}

/** A call takes two chunks, its arguments following its name; the end is in the last. */
function* splitCalls(deltas: readonly ChoiceDelta[]): Generator<(ChoiceDelta & { argumentsOf?: ChoiceCall })[]> {
  const most = Math.max(...deltas.map(({ calls }) => calls.length))
  if (most === 0) {
    yield [...deltas]
    return
  }
  yield deltas.map((delta) => ({ ...delta, calls: [], end: delta.calls.length > 0 ? null : delta.end }))
  for (let place = 0; place < most; place += 1) {
    const withCall = deltas.flatMap((delta) => {
      const call = delta.calls[place]
      return call === undefined ? [] : [{ delta, call }]
    })
    const bare = { text: '', reasoning: '', entries: [], tokens: [], end: null }
    yield withCall.map(({ delta, call }) => ({ ...bare, index: delta.index, calls: [call] }))
    yield withCall.map(({ delta, call }) => ({
      ...bare,
      index: delta.index,
      calls: [],
      argumentsOf: call,
      end: place === delta.calls.length - 1 ? delta.end : null,
    }))
  }
}

interface ChunkPart {
  index: number
  delta: (ChoiceDelta & { argumentsOf?: ChoiceCall }) | undefined
  end: ChoiceEnd | null
  head: ResponseHead
}

function toChoice({ index, delta, end, head }: ChunkPart): ChunkChoice {
  const { report } = head.plan
  const choice: ChunkChoice = {
    ...emptyChoice(index, toDelta(delta, report.reasoning), head),
    finish_reason: end?.reason ?? null,
    stop_reason: end?.stopReason ?? null,
  }
  if (report.logprobs) choice.logprobs = { content: delta?.entries ?? [] }
  if (report.tokenIds) choice.token_ids = delta?.tokens ?? []
  return choice
}

function toDelta(delta: ChunkPart['delta'], withReasoning: boolean): ChunkChoice['delta'] {
  if (delta === undefined) return {}
  const { argumentsOf, calls, text, reasoning } = delta
  if (argumentsOf) return { tool_calls: [{ index: argumentsOf.index, function: { arguments: argumentsOf.arguments } }] }
  const [call] = calls
  if (call) return { tool_calls: [{ index: call.index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }
  const thoughts = withReasoning && reasoning !== '' ? { reasoning, reasoning_content: reasoning } : {}
  return text === '' ? thoughts : { ...thoughts, content: text }
}
