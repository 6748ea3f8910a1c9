import { badRequest } from '@heddle/core-api/internal'
import { readForwardBackwardBody, TinkerRequestError } from '../../../engine/tinker/json/messages.ts'
import { type Datum, decodeForwardBackward, type ForwardBackwardRequest } from '../../../engine/tinker/protobuf/messages.ts'
import { ProtobufError } from '../../../engine/tinker/protobuf/wire.ts'
import { TensorError } from '../../../engine/tinker/tensors.ts'
import type { TrainedSequence } from '../../../engine/engine.ts'
import { addsNothing, checkLossInput, findLoss, type Loss, type LossInput } from './losses.ts'

/** A sequence of a batch: its input, and then its last target, unless it has `targets`. */
export interface PassSequence extends TrainedSequence {
  given: LossInput['given']
  /** How many targets each token has; undefined for one. */
  columns: number | undefined
  /** Of `targets`: their places among all targets of the request, row by row. */
  places?: Int32Array
}

/** A checked request to compute a loss. */
export interface Pass {
  modelId: string
  /** Null: as it arrives. */
  sequenceId: number | null
  sequences: PassSequence[]
  loss: Loss
  lossName: string
  /** Whether gradients are added. */
  learns: boolean
}

/** Sequences of one request. */
const maxSequences = 8_192
/** Bytes of a request in JSON, which is parsed at once. */
const maxJsonBytes = 8 * 2 ** 20

/** Reads a request in either dialect. @throws ApiError 400 that names what is wrong with it */
export function readPass(bytes: Uint8Array, contentType: string | undefined): Pass {
  const { modelId, sequenceId, data, lossFunction, lossConfig, forwardOnly } = decode(bytes, contentType)
  if (data.length === 0) throw badRequest('data is empty; send at least one sequence')
  if (data.length > maxSequences) throw badRequest(`data has ${data.length} sequences; at most ${maxSequences} are possible in one request`)
  const loss = findLoss(lossFunction, lossConfig)
  return {
    modelId,
    sequenceId: sequenceId === 0 ? null : sequenceId,
    sequences: data.map((datum, index) => toSequence(datum, index, loss)),
    loss,
    lossName: lossFunction,
    learns: !forwardOnly,
  }
}

function decode(bytes: Uint8Array, contentType: string | undefined): ForwardBackwardRequest {
  try {
    return contentType?.includes('json') ? readForwardBackwardBody(parseJson(bytes)) : decodeForwardBackward(bytes)
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof TinkerRequestError || error instanceof TensorError)
      throw badRequest(error.message)
    throw error
  }
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength > maxJsonBytes)
    throw badRequest(`the request has ${bytes.byteLength} bytes of JSON, at most ${maxJsonBytes} are taken; send application/x-protobuf`)
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw badRequest('the request is not valid JSON')
  }
}

function toSequence({ tokens, targets, floats, columns }: Datum, index: number, loss: Loss): PassSequence {
  const count = tokens.length * (columns ?? 1)
  if (targets.length === 0) throw badRequest(`data.${index}: loss_fn_inputs has no target_tokens`)
  if (targets.length !== count)
    throw badRequest(
      `data.${index}: target_tokens has ${targets.length} tokens, and model_input ${tokens.length}${columns ? ` with ${columns} targets each` : ''}`,
    )
  if (columns !== undefined && loss.name !== 'cross_entropy')
    throw badRequest(
      `data.${index}: target_tokens has ${columns} targets for each token, which cross_entropy takes alone; send one for each`,
    )
  checkLossInput(loss, index, floats, targets.length)
  const isNext = (at: number) => at + 1 === tokens.length || targets[at] === tokens[at + 1]
  const adds = (at: number) => !addsNothing(loss, floats, at)
  const isUsual = columns === undefined && targets.every((_, at) => isNext(at) || !adds(at))
  if (!isUsual) return { ...withTargets({ tokens, targets, columns }, adds), given: floats, columns }
  const whole = new Int32Array(tokens.length + 1)
  whole.set(tokens)
  whole[tokens.length] = targets.at(-1)!
  return { tokens: whole, scored: Uint8Array.from(whole, (_, at) => (at > 0 && isNext(at - 1) ? 1 : 0)), given: floats, columns }
}

/** Scores the targets that add to the loss, whatever follows in the sequence: recipes pad with any token. */
function withTargets(
  { tokens, targets, columns = 1 }: Pick<Datum, 'tokens' | 'targets'> & { columns: number | undefined },
  adds: (at: number) => boolean,
): Omit<PassSequence, 'given' | 'columns'> {
  const places = Int32Array.from([...targets.keys()].filter(adds))
  const scored = {
    positions: places.map((place) => Math.floor(place / columns) + 1),
    tokens: places.map((place) => targets[place]!),
  }
  return { tokens, scored: new Uint8Array(tokens.length), targets: scored, places }
}
