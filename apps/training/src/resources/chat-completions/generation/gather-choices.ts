import type { ChoiceDelta } from './choice-writer.ts'
import type { CompletionPlan } from '../request/plan-completion.ts'
import type { RecordedChoice } from '../../recorded-trajectories/recorded-call.ts'

/** Joining a list of chunks per choice repeatedly would be slow, so each choice is gathered in separate lists. */
interface ChoiceParts {
  texts: string[]
  reasoning: string[]
  calls: ChoiceDelta['calls']
  entries: ChoiceDelta['entries']
  tokens: number[]
  end: ChoiceDelta['end']
}

/** Puts the parts of a completion together. */
export interface ChoiceGatherer {
  add(deltas: readonly ChoiceDelta[]): void
  /** Whether every choice has ended. */
  isComplete(): boolean
  completionTokens(): number
  choices(report: Pick<CompletionPlan['report'], 'reasoning' | 'logprobs' | 'tokenIds'>): RecordedChoice[]
}

export function createChoiceGatherer({ seeds, prompt }: Pick<CompletionPlan, 'seeds' | 'prompt'>): ChoiceGatherer {
  const gathered = seeds.map((): ChoiceParts => ({ texts: [], reasoning: [], calls: [], entries: [], tokens: [], end: null }))
  return {
    add(deltas) {
      for (const delta of deltas) gather(gathered[delta.index]!, delta)
    },
    isComplete: () => gathered.every(({ end }) => end !== null),
    completionTokens: () => gathered.reduce((sum, { tokens }) => sum + tokens.length, 0),
    choices: ({ reasoning, logprobs, tokenIds }) =>
      gathered.map((choice, index) => ({
        ...toChoice(reasoning ? choice : { ...choice, reasoning: [] }, index),
        logprobs: logprobs ? { content: choice.entries, refusal: null } : null,
        finish_reason: choice.end?.reason ?? null,
        stop_reason: choice.end?.stopReason ?? null,
        ...(tokenIds && { token_ids: choice.tokens, prompt_token_ids: [...prompt] }),
      })),
  }
}

function gather(choice: ChoiceParts, { text, reasoning, calls, entries, tokens, end }: ChoiceDelta): void {
  if (text !== '') choice.texts.push(text)
  if (reasoning !== '') choice.reasoning.push(reasoning)
  choice.calls.push(...calls)
  choice.entries.push(...entries)
  choice.tokens.push(...tokens)
  choice.end = end
}

function toChoice({ texts, reasoning: thoughts, calls }: ChoiceParts, index: number): Pick<RecordedChoice, 'index' | 'message'> {
  const content = texts.join('')
  const reasoning = thoughts.join('')
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
      ...(reasoning !== '' && { reasoning, reasoning_content: reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
  }
}
