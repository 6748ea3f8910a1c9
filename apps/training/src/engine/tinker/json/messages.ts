import { z } from 'zod'
import { EngineError } from '../../engine.ts'
import type { Datum, ForwardBackwardRequest, SampleOutput } from '../protobuf/messages.ts'

/** The older dialect: the same requests and results as the protobuf messages, as JSON, without numbers of requests. */
export function toForwardBackwardJson({ modelId, data, lossFunction, forwardOnly }: ForwardBackwardRequest): object {
  const input = { data: data.map(toDatumJson), loss_fn: lossFunction }
  return { model_id: modelId, [forwardOnly ? 'forward_input' : 'forward_backward_input']: input }
}

function toDatumJson({ tokens, targets, floats }: Datum): object {
  const tensors = Object.entries({ target_tokens: targets, ...floats }).map(([name, values]) => [name, { data: [...values] }])
  return { model_input: { chunks: [{ type: 'encoded_text', tokens: [...tokens] }] }, loss_fn_inputs: Object.fromEntries(tensors) }
}

const Numbers = z.array(z.number())
const ForwardBackwardResult = z.object({ loss_fn_outputs: z.array(z.object({ logprobs: z.object({ data: Numbers }) })) })
const SampleResult = z.object({
  sequences: z.array(z.object({ stop_reason: z.enum(['stop', 'length']), tokens: z.array(z.int()), logprobs: Numbers })),
  prompt_logprobs: z.array(z.number().nullable()).nullish(),
})

/** Log-probabilities of the targets of each datum. @throws EngineError */
export function readForwardBackwardJson(value: unknown): Float32Array[] {
  return parse(ForwardBackwardResult, value).loss_fn_outputs.map(({ logprobs }) => Float32Array.from(logprobs.data))
}

/** @throws EngineError */
export function readSampleJson(value: unknown): SampleOutput {
  const { sequences, prompt_logprobs: prompt } = parse(SampleResult, value)
  return {
    sequences: sequences.map(({ stop_reason: stopReason, tokens, logprobs }) => ({
      stopReason,
      tokens: Int32Array.from(tokens),
      logProbabilities: Float32Array.from(logprobs),
    })),
    promptLogProbabilities: prompt ? Float32Array.from(prompt, (logProbability) => logProbability ?? Number.NaN) : null,
  }
}

function parse<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new EngineError('unavailable', `the training server returned a result of another form: ${place}: ${issue?.message ?? ''}`)
}
