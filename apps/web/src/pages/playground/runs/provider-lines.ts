import { memberOf } from '@heddle/core-api/internal'
import { textMember } from '../../../lib/text-member.ts'
import { addChunk } from '../../../features/playground/add-chunk.ts'
import { type Answer, emptyAnswer } from '../../../features/playground/answer.ts'

/** The state of a completion of a provider so far. */
export interface ProviderRun {
  answer: Answer
  problem?: string
  /** The failed request, of which the problem is the text. */
  failure?: unknown
  /** The call that the server records. Null if it could not; absent if it has not been reported. */
  callId?: string | null
}

export const emptyRun: ProviderRun = { answer: emptyAnswer }

/** A run with a further line of its stream. */
export function addLine(run: ProviderRun, line: unknown): ProviderRun {
  const meta = memberOf(line, '_meta')
  if (meta !== undefined) return { ...run, callId: textMember(meta, 'weave_call_id') || null }
  const error = memberOf(line, 'error')
  if (error !== undefined) return { ...run, problem: typeof error === 'string' ? error : JSON.stringify(error) }
  return { ...run, answer: addChunk(run.answer, toPart(line)) }
}

type Part = Parameters<typeof addChunk>[1]

/** The content of a chunk of any provider; missing parts are empty. */
function toPart(chunk: unknown): Part {
  const choice = listMember(chunk, 'choices').find((each) => placeOf(each) === 0)
  const delta = memberOf(choice, 'delta')
  const said = {
    content: textMember(delta, 'content') || textMember(delta, 'refusal'),
    reasoning: textMember(delta, 'reasoning') || textMember(delta, 'reasoning_content'),
    tool_calls: listMember(delta, 'tool_calls').map(toToolCall),
  }
  const finish_reason = textMember(choice, 'finish_reason') || null
  return { choices: [{ index: 0, delta: said, finish_reason }], usage: toUsage(memberOf(chunk, 'usage')) } as Part
}

function toToolCall(call: unknown) {
  const called = memberOf(call, 'function')
  const id = textMember(call, 'id')
  const given = { name: textMember(called, 'name'), arguments: textMember(called, 'arguments') }
  const index = memberOf(call, 'index')
  return { ...(typeof index === 'number' && { index }), ...(id !== '' && { id }), function: given }
}

function toUsage(usage: unknown): Answer['usage'] {
  const [prompt_tokens, completion_tokens] = [Number(memberOf(usage, 'prompt_tokens')), Number(memberOf(usage, 'completion_tokens'))]
  if (!Number.isFinite(prompt_tokens) || !Number.isFinite(completion_tokens)) return null
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function listMember(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name)
  return Array.isArray(member) ? member : []
}

const placeOf = (value: unknown) => Number(memberOf(value, 'index') ?? 0)
