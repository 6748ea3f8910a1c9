import type { Engine, GenerateRequest, SampledToken } from '../../../engine/engine.ts'
import type { CompletionDeadlines } from './completion-deadlines.ts'
import { type ChoiceDelta, ChoiceWriter, type ChoiceWriterOptions } from './choice-writer.ts'

export interface GenerateOptions extends Omit<ChoiceWriterOptions, 'index'> {
  engine: Pick<Engine, 'generate'>
  version: GenerateRequest['version']
  deadlines: CompletionDeadlines
}

/**
 * Samples all choices and yields what arrives together. Ends when every choice has ended; leaving it stops the sampling.
 * @throws ApiError 503 when a part takes longer than its limit, EngineError
 */
export async function* generateChoices(options: GenerateOptions): AsyncGenerator<ChoiceDelta[]> {
  const { plan } = options
  const writers = plan.seeds.map((_, index) => new ChoiceWriter({ ...options, index }))
  for await (const sampled of sampleInTime(options)) {
    const deltas = sampled.flatMap((token) => writeToken(writers, token))
    if (deltas.length > 0) yield mergeDeltas(deltas)
    if (writers.every((writer) => writer.isEnded)) return
  }
  throw new Error('the engine ended before every completion had ended')
}

/** Tokens behind the end of a choice, which the engine cannot know, do not belong to it. */
function writeToken(writers: readonly ChoiceWriter[], token: SampledToken): ChoiceDelta[] {
  const writer = writers[token.completion]!
  return writer.isEnded ? [] : [writer.push(token)]
}

async function* sampleInTime({ engine, version, plan, deadlines }: GenerateOptions): AsyncGenerator<readonly SampledToken[]> {
  const { signal } = deadlines
  const request = { version, prompt: plan.prompt, settings: plan.settings, seeds: plan.seeds }
  deadlines.reached('loading')
  try {
    for await (const sampled of engine.generate(request, signal, ({ part }) => deadlines.reached(part))) {
      deadlines.reached('tokens')
      yield sampled
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    deadlines.end()
  }
}

/** One delta for each choice that got tokens. */
function mergeDeltas(deltas: readonly ChoiceDelta[]): ChoiceDelta[] {
  const merged = new Map<number, ChoiceDelta>()
  for (const delta of deltas) {
    const before = merged.get(delta.index)
    merged.set(delta.index, before === undefined ? delta : joinDeltas(before, delta))
  }
  return [...merged.values()]
}

function joinDeltas(before: ChoiceDelta, after: ChoiceDelta): ChoiceDelta {
  return {
    index: after.index,
    text: before.text + after.text,
    reasoning: before.reasoning + after.reasoning,
    calls: [...before.calls, ...after.calls],
    entries: [...before.entries, ...after.entries],
    tokens: [...before.tokens, ...after.tokens],
    end: after.end,
  }
}
