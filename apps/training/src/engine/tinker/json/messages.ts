import { z } from 'zod'
import { EngineError } from '../../engine.ts'
import { fillDense, TensorShapes } from '../tensors.ts'
import type { Datum, ForwardBackwardOutput, ForwardBackwardRequest, SampleOutput, TopTokens } from '../protobuf/messages.ts'

/** The older dialect: the same requests and results as the protobuf messages, as JSON, without numbers of requests. */
export function toForwardBackwardJson({ modelId, data, lossFunction, lossConfig, forwardOnly }: ForwardBackwardRequest): object {
  const input = { data: data.map(toDatumJson), loss_fn: lossFunction, ...(lossConfig && { loss_fn_config: lossConfig }) }
  return { model_id: modelId, [forwardOnly ? 'forward_input' : 'forward_backward_input']: input }
}

function toDatumJson({ tokens, targets, floats, columns }: Datum): object {
  const toTensor = (values: Int32Array | Float32Array) => ({
    data: [...values],
    ...(columns && { shape: [values.length / columns, columns] }),
  })
  const tensors = Object.entries({ target_tokens: targets, ...floats }).map(([name, values]) => [name, toTensor(values)])
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

const Chunk = z.object({ type: z.string().default('encoded_text'), tokens: z.array(z.int()).optional() })
const Tensor = z.object({
  data: Numbers,
  shape: z.array(z.int()).nullish(),
  sparse_crow_indices: z.array(z.int()).nullish(),
  sparse_col_indices: z.array(z.int()).nullish(),
})
const ForwardBackwardInput = z.object({
  data: z.array(z.object({ model_input: z.object({ chunks: z.array(Chunk) }), loss_fn_inputs: z.record(z.string(), Tensor) })),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.union([z.number(), z.string()])).nullish(),
})
const ForwardBackwardBody = z.object({
  model_id: z.string(),
  seq_id: z.int().nullish(),
  forward_backward_input: ForwardBackwardInput.optional(),
  forward_input: ForwardBackwardInput.optional(),
})

/** A request that does not have the shape of the dialect, or has inputs that are not supported. */
export class TinkerRequestError extends Error {
  override readonly name = 'TinkerRequestError'
}

/** Reads a request as `toForwardBackwardJson` writes it; a request without a number gets 0. @throws TinkerRequestError naming the place */
export function readForwardBackwardBody(value: unknown): ForwardBackwardRequest {
  const parsed = ForwardBackwardBody.safeParse(value)
  if (!parsed.success) throw new TinkerRequestError(describe(parsed.error))
  const { model_id: modelId, seq_id, forward_backward_input, forward_input } = parsed.data
  const input = forward_backward_input ?? forward_input
  if (!input) throw new TinkerRequestError('forward_backward_input: Required')
  const shapes = new TensorShapes()
  return {
    modelId,
    sequenceId: seq_id ?? 0,
    data: input.data.map((datum) => toDatum(datum, shapes)),
    lossFunction: input.loss_fn,
    ...(input.loss_fn_config && { lossConfig: input.loss_fn_config }),
    forwardOnly: forward_backward_input === undefined,
  }
}

function toDatum({ model_input, loss_fn_inputs }: z.output<typeof ForwardBackwardInput>['data'][number], shapes: TensorShapes): Datum {
  const other = model_input.chunks.find(({ type }) => type !== 'encoded_text')
  if (other) throw new TinkerRequestError(`model_input has a chunk of ${other.type}; only text is taken`)
  const { target_tokens: targets = { data: [] }, ...floats } = loss_fn_inputs
  const widthOf = (name: string, { shape, sparse_crow_indices: offsets }: z.output<typeof Tensor>) =>
    shapes.columnsOf(name, shape ?? [], offsets != null)
  const columns = widthOf('target_tokens', targets)
  for (const [name, tensor] of Object.entries(floats)) {
    const own = widthOf(name, tensor)
    if (own !== columns) throw new TinkerRequestError(`${name} has ${own ?? 'no'} columns, and target_tokens ${columns ?? 'none'}`)
  }
  return {
    tokens: Int32Array.from(model_input.chunks.flatMap(({ tokens = [] }) => tokens)),
    targets: readTensor('target_tokens', targets, Int32Array),
    floats: Object.fromEntries(Object.entries(floats).map(([name, tensor]) => [name, readTensor(name, tensor, Float32Array)])),
    ...(columns !== undefined && { columns }),
  }
}

type NumbersArray = Int32Array | Float32Array
interface NumbersConstructor<Values extends NumbersArray> {
  new (length: number): Values
  from(numbers: readonly number[]): Values
}

/** Its numbers, row by row. @throws TensorError */
function readTensor<Values extends NumbersArray>(
  name: string,
  tensor: z.output<typeof Tensor>,
  values: NumbersConstructor<Values>,
): Values {
  const { data, shape, sparse_crow_indices: offsets, sparse_col_indices: columns } = tensor
  if (!offsets) return values.from(data)
  const size = (shape ?? []).reduce((product, length) => product * length, 1)
  return fillDense(name, { values: values.from(data), offsets, columns: columns ?? [], shape: shape ?? [] }, new values(size))
}

/** Numbers that JSON cannot write are left out of the metrics. */
export function toForwardBackwardResult({ logProbabilities, metrics, columns = [] }: ForwardBackwardOutput): object {
  const shapeOf = ({ length }: Float32Array, width: number | undefined) => (width === undefined ? [length] : [length / width, width])
  return {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: logProbabilities.map((values, at) => ({
      logprobs: { data: [...values], dtype: 'float32', shape: shapeOf(values, columns[at]) },
    })),
    metrics: Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value))),
  }
}

export function toSampleResult({ sequences, promptLogProbabilities, promptTop }: SampleOutput): object {
  return {
    type: 'sample',
    sequences: sequences.map(({ stopReason, tokens, logProbabilities, top }) => ({
      stop_reason: stopReason,
      tokens: [...tokens],
      logprobs: [...logProbabilities],
      ...(top && { topk_logprobs: toPairs(top) }),
    })),
    prompt_logprobs: promptLogProbabilities && Array.from(promptLogProbabilities, (value) => (Number.isNaN(value) ? null : value)),
    ...(promptTop && { topk_prompt_logprobs: toPairs(promptTop) }),
  }
}

/** Tokens with their log-probabilities; null for a row without any. */
function toPairs(rows: TopTokens): ([number, number][] | null)[] {
  return rows.map((row) => (row.length === 0 ? null : row.map(({ token, logProbability }) => [token, logProbability])))
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
}

function parse<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new EngineError('unavailable', `the training server returned a result of another form: ${describe(parsed.error)}`)
}
