import type { ChatCompletion } from '@heddle/core-api'
import type { ChoiceDelta } from '../generation/choice-writer.ts'
import { promptIds, type ResponseHead, toUsage } from './response-head.ts'

/** A chunk list per choice would be joined again and again, so a choice is gathered in lists of its own. */
interface Gathered {
  texts: string[]
  calls: ChoiceDelta['calls']
  entries: ChoiceDelta['entries']
  tokens: number[]
  end: ChoiceDelta['end']
}

/** Gathers a whole completion. */
export async function toCompletion({ id, created, plan }: ResponseHead, parts: AsyncIterable<ChoiceDelta[]>): Promise<ChatCompletion> {
  const choices = plan.seeds.map((): Gathered => ({ texts: [], calls: [], entries: [], tokens: [], end: null }))
  for await (const deltas of parts) for (const delta of deltas) gather(choices[delta.index]!, delta)
  const completionTokens = choices.reduce((sum, { tokens }) => sum + tokens.length, 0)
  return {
    id,
    object: 'chat.completion',
    created,
    model: plan.model,
    choices: choices.map((choice, index) => toChoice(choice, index, plan)),
    usage: toUsage({ prompt: plan.prompt.length, completion: completionTokens }),
    ...promptIds(plan),
  }
}

function gather(choice: Gathered, { text, calls, entries, tokens, end }: ChoiceDelta): void {
  if (text !== '') choice.texts.push(text)
  choice.calls.push(...calls)
  choice.entries.push(...entries)
  choice.tokens.push(...tokens)
  choice.end = end
}

function toChoice(
  { texts, calls, entries, tokens, end }: Gathered,
  index: number,
  plan: ResponseHead['plan'],
): ChatCompletion['choices'][number] {
  const content = texts.join('')
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }))
  return {
    index,
    message: {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
    logprobs: plan.report.logprobs ? { content: entries, refusal: null } : null,
    finish_reason: end!.reason,
    stop_reason: end!.stopReason,
    ...(plan.report.tokenIds && { token_ids: tokens }),
    ...promptIds(plan),
  }
}
