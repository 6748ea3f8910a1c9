import { badRequest } from '@heddle/core-api/internal'
import { readForwardBackwardBody, TinkerRequestError } from '../../../engine/tinker/json/messages.ts'
import { type Datum, decodeForwardBackward, type ForwardBackwardRequest } from '../../../engine/tinker/protobuf/messages.ts'
import { ProtobufError } from '../../../engine/tinker/protobuf/wire.ts'
import type { TokenSequence } from '../../../engine/engine.ts'
import { addsNothing, checkLossInput, findLoss, type Loss, type LossInput } from './losses.ts'

/** A sequence of a batch: its input, and then its last target. */
export interface PassSequence extends TokenSequence {
  given: LossInput['given']
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
    if (error instanceof ProtobufError || error instanceof TinkerRequestError) throw badRequest(error.message)
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

/** The target of each token is the token after it, which is what the model computes, or adds nothing: recipes pad with any token. */
function toSequence({ tokens, targets, floats }: Datum, index: number, loss: Loss): PassSequence {
  if (targets.length === 0) throw badRequest(`data.${index}: loss_fn_inputs has no target_tokens`)
  if (targets.length !== tokens.length)
    throw badRequest(`data.${index}: target_tokens has ${targets.length} tokens, and model_input ${tokens.length}`)
  checkLossInput(loss, index, floats, targets.length)
  const isNext = (at: number) => at + 1 === tokens.length || targets[at] === tokens[at + 1]
  const other = targets.findIndex((_, at) => !isNext(at) && !addsNothing(loss, floats, at))
  if (other >= 0) throw otherTarget(index, { at: other, target: targets[other]!, next: tokens[other + 1]!, loss })
  const whole = new Int32Array(tokens.length + 1)
  whole.set(tokens)
  whole[tokens.length] = targets.at(-1)!
  return { tokens: whole, scored: Uint8Array.from(whole, (_, at) => (at > 0 && isNext(at - 1) ? 1 : 0)), given: floats }
}

function otherTarget(index: number, { at, target, next, loss }: { at: number; target: number; next: number; loss: Loss }): Error {
  const [factor, ...factors] = loss.factors
  const wayOut = factor === undefined ? '' : `, unless its ${[factor, ...factors].join(' and ')} ${factors.length > 0 ? 'are' : 'is'} 0`
  return badRequest(
    `data.${index}: target ${at} is token ${target}, but ${next} follows in model_input; each target must be the next token${wayOut}`,
  )
}
