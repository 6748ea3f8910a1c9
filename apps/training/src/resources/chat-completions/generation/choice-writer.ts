import type { SampledToken } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import type { CompletionPlan } from '../request/plan-completion.ts'
import { type CallSplitter, createCallSplitter } from './call-splitter.ts'
import { toLogprobEntry, type LogprobEntry } from './logprob-entry.ts'
import type { ParsedCall } from './parse-call.ts'
import { ReasoningSplitter, reasoningTags, type SplitReasoning } from '../reasoning-splitter.ts'
import { StopTexts } from './stop-texts.ts'

export interface ChoiceCall extends Omit<ParsedCall, 'id'> {
  /** Index among the calls of the choice. */
  index: number
  id: string
}

export interface ChoiceEnd {
  reason: 'stop' | 'length' | 'tool_calls'
  /** Stop text or token that ended it; null for the end of the turn. */
  stopReason: string | number | null
}

/** What some tokens add to a choice. */
export interface ChoiceDelta {
  index: number
  text: string
  /** Text of the reasoning before the answer. */
  reasoning: string
  calls: ChoiceCall[]
  /** Of exactly these tokens; empty when they are not reported. */
  entries: LogprobEntry[]
  tokens: number[]
  end: ChoiceEnd | null
}

export interface ChoiceWriterOptions {
  index: number
  plan: CompletionPlan
  tokenizer: ChatTokenizer
  newCallId: () => string
}

/** Turns the tokens of one choice into text and calls. Every token is reported, also where its text is cut off or waits. */
export class ChoiceWriter {
  readonly #options: ChoiceWriterOptions
  readonly #visible: (token: number) => boolean
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #stops: StopTexts
  readonly #reasoning: ReasoningSplitter | null
  readonly #splitter: CallSplitter | null
  readonly #ids = new Set<string>()
  #calls = 0
  #isEnded = false

  constructor(options: ChoiceWriterOptions) {
    const { plan, tokenizer } = options
    this.#options = options
    this.#visible = visibleTokens(tokenizer)
    this.#stops = new StopTexts(plan.stop.texts, plan.stop.isKept)
    this.#reasoning = plan.isPlain ? null : new ReasoningSplitter(plan.reasoningTag)
    this.#splitter = plan.calls && createCallSplitter(plan.calls)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  push(sampled: SampledToken): ChoiceDelta {
    const { index, plan, tokenizer } = this.#options
    const delta: ChoiceDelta = { index, text: '', reasoning: '', calls: [], entries: [], tokens: [sampled.token], end: null }
    if (plan.report.logprobs) delta.entries.push(toLogprobEntry(sampled, tokenizer, plan.report.asTokenIds))
    const isRequestedStop = sampled.finish === 'stop' && plan.stop.tokens.has(sampled.token)
    const { text, stop } = this.#stops.push(this.#textOf(sampled, isRequestedStop && !plan.stop.isKept))
    this.#write(delta, text)
    if (stop !== null) this.#end(delta, 'stop', stop)
    else if (sampled.finish !== null) {
      this.#write(delta, this.#stops.flush())
      this.#end(delta, sampled.finish, isRequestedStop ? sampled.token : null)
    }
    return delta
  }

  #textOf({ token, finish }: SampledToken, isHidden: boolean): string {
    const bytes = isHidden || !this.#visible(token) ? new Uint8Array() : this.#options.tokenizer.bytesOf(token)
    return this.#decoder.decode(bytes, { stream: finish === null })
  }

  #write(delta: ChoiceDelta, text: string): void {
    this.#divide(delta, this.#reasoning?.push(text) ?? { reasoning: '', text })
  }

  #divide(delta: ChoiceDelta, { reasoning, text }: SplitReasoning): void {
    delta.reasoning += reasoning
    if (this.#splitter === null) delta.text += text
    else this.#add(delta, this.#splitter.push(text))
  }

  #add(delta: ChoiceDelta, { text, calls }: { text: string; calls: ParsedCall[] }): void {
    delta.text += text
    for (const call of calls) delta.calls.push({ ...call, index: this.#calls++, id: this.#idOf(call) })
  }

  /** The model's id of the call, so that its message is rendered as it was sampled; a new one if the model gave none, or repeated one. */
  #idOf({ id }: ParsedCall): string {
    const own = id === undefined || this.#ids.has(id) ? this.#options.newCallId() : id
    this.#ids.add(own)
    return own
  }

  #end(delta: ChoiceDelta, reason: 'stop' | 'length', stopReason: string | number | null): void {
    this.#isEnded = true
    if (this.#reasoning !== null) this.#divide(delta, this.#reasoning.flush())
    if (this.#splitter !== null) this.#add(delta, this.#splitter.flush())
    delta.end = { reason: reason === 'stop' && this.#calls > 0 ? 'tool_calls' : reason, stopReason }
  }
}

/** Special tokens are not text, except those around reasoning and calls: without them an invalid call would look like an answer. */
function visibleTokens({ special, toolCalls, encode }: ChatTokenizer): (token: number) => boolean {
  const texts = toolCalls === null ? reasoningTags : [...textsAround(toolCalls), ...reasoningTags]
  const marks = new Set(texts.flatMap((text) => [...encode(text)]))
  return (token) => !special.all.has(token) || marks.has(token)
}

/** Texts that are parsed as part of a call. */
function textsAround({ form, open, close, preamble, begin, id, middle, epilogue }: TemplateCalls): string[] {
  return form === 'object' ? [open, close] : [open, close, preamble, begin, id?.before ?? '', middle, epilogue]
}
