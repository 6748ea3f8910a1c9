import type { SampleOutput } from '../../../engine/tinker/protobuf/messages.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { Tokenizers } from '../../../tokenizer/tokenizers.ts'
import type { ToSample } from '../sampling/sample-weights.ts'
import { finite } from './step-trace.ts'
import type { StepTraces } from './step-traces.ts'
import { traceCall, type TracedOutcome, type TracingDeps } from './trace-call.ts'

/** Tokens of a prompt, from its end, and of each sample, from its beginning, that are recorded as text. */
const shownTokens = 512
/** Samples of a request that are recorded. */
const shownSamples = 8

/** Samples by which weights, and of whom. */
export interface TracedSampling {
  sessionId: string
  projectId: string
  userId: string
  /** Null for a base model as it is. */
  modelId: string | null
  toSample: Pick<ToSample, 'base' | 'checkpoint' | 'request'>
}

/** Does the work, and records it in the step of the model, if it is held, else as a separate trace in a thread of the session. */
export type TraceSample = (sampling: TracedSampling, work: () => Promise<SampleOutput>) => Promise<SampleOutput>

export function createTraceSample(traces: StepTraces, tokenizers: Tokenizers, deps: TracingDeps): TraceSample {
  return async (sampling, work) => {
    const { modelId, toSample } = sampling
    const tokenizer = await tokenizers.of(toSample.base.folder)
    const request = { op: 'sample', inputs: describeRequest(toSample, tokenizer) }
    const describe = (output: SampleOutput) => describeSamples(output, toSample, tokenizer)
    const held = modelId === null ? undefined : traces.of(modelId)
    if (held) return held.call(request, work, describe)
    const { sessionId: thread_id, projectId: project_id, userId: user_id } = sampling
    const place = { project_id, user_id, thread_id, trace_id: deps.newId(), parent_id: null, run: null }
    return traceCall({ ...request, place }, { work, describe }, deps)
  }
}

function describeRequest({ base, checkpoint, request }: TracedSampling['toSample'], tokenizer: ChatTokenizer): Record<string, unknown> {
  const { prompt, num_samples, sampling_params } = request
  return {
    base_model: base.id,
    step: checkpoint?.step ?? null,
    prompt: tokenizer.decode(prompt.slice(-shownTokens)),
    prompt_tokens: prompt.length,
    num_samples,
    ...sampling_params,
  }
}

function describeSamples(
  { sequences }: SampleOutput,
  { base, request }: TracedSampling['toSample'],
  tokenizer: ChatTokenizer,
): TracedOutcome {
  const completionTokens = sequences.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const samples = sequences.slice(0, shownSamples).map(({ tokens, stopReason, logProbabilities }) => ({
    text: tokenizer.decode(tokens.slice(0, shownTokens)),
    tokens: tokens.length,
    stop_reason: stopReason,
    logprob: finite(logProbabilities.reduce((sum, value) => sum + value, 0)),
  }))
  const usage = { model: base.id, promptTokens: request.prompt.length, completionTokens }
  return { output: { samples, num_samples: sequences.length, sampled_tokens: completionTokens }, usage }
}
