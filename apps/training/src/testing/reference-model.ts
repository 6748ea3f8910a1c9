import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { type LinearName, tensorNames } from '../checkpoint-files/model-tensors.ts'
import type { Scalar, ScalarTape } from './scalar-tape.ts'

/** Tensors by their name in files, row by row. */
export type ScalarTensors = ReadonlyMap<string, readonly Scalar[]>

export interface ReferenceModel {
  config: ModelConfig
  tensors: ScalarTensors
  /** alpha / rank; 0 without adapters. */
  adapterFactor: number
}

type Row = readonly Scalar[]

/**
 * A decoder as its definition reads, number by number: for each position of one sequence, the log-probabilities of all tokens that may follow. It shares no code
 * with the engine.
 */
export function referenceLogProbabilities(tape: ScalarTape, model: ReferenceModel, tokens: readonly number[]): Row[] {
  const { config, tensors } = model
  const embedding = tensors.get(tensorNames.embedding)!
  let stream: Row[] = tokens.map((token) => embedding.slice(token * config.width, (token + 1) * config.width))
  for (let layer = 0; layer < config.layers; layer++) {
    const attended = attend(tape, model, { layer, rows: normed(tape, model, { rows: stream, name: tensorNames.attentionNorm(layer) }) })
    stream = stream.map((row, i) => addRows(tape, row, attended[i]!))
    const fed = normed(tape, model, { rows: stream, name: tensorNames.feedForwardNorm(layer) }).map((row) =>
      feed(tape, model, { layer, row }),
    )
    stream = stream.map((row, i) => addRows(tape, row, fed[i]!))
  }
  const head = tensors.get(config.tiedEmbeddings ? tensorNames.embedding : tensorNames.head)!
  return normed(tape, model, { rows: stream, name: tensorNames.finalNorm }).map((row) => logSoftmax(tape, product(tape, head, row)))
}

function addRows(tape: ScalarTape, a: Row, b: Row): Row {
  return a.map((x, i) => tape.add(x, b[i]!))
}

/** W x, where W is [out, in]. */
function product(tape: ScalarTape, matrix: Row, x: Row): Row {
  const rows = matrix.length / x.length
  return Array.from({ length: rows }, (_, row) => tape.sum(x.map((value, i) => tape.multiply(matrix[row * x.length + i]!, value))))
}

function linear(tape: ScalarTape, { tensors, adapterFactor }: ReferenceModel, use: { layer: number; name: LinearName; x: Row }): Row {
  const { layer, name, x } = use
  const bias = tensors.get(tensorNames.bias(layer, name))
  const weighted = product(tape, tensors.get(tensorNames.linear(layer, name))!, x)
  const y = bias ? addRows(tape, weighted, bias) : weighted
  const a = tensors.get(tensorNames.adapter(layer, name, 'lora_A'))
  const b = tensors.get(tensorNames.adapter(layer, name, 'lora_B'))
  if (!a || !b) return y
  const factor = tape.constant(adapterFactor)
  return product(tape, b, product(tape, a, x)).map((value, i) => tape.add(y[i]!, tape.multiply(factor, value)))
}

function normed(tape: ScalarTape, { config, tensors }: ReferenceModel, { rows, name }: { rows: readonly Row[]; name: string }): Row[] {
  const weight = tensors.get(name)!
  return rows.map((row) => {
    const squares = tape.sum(row.map((x) => tape.multiply(x, x)))
    const mean = tape.multiply(squares, tape.constant(1 / row.length))
    const inverse = tape.power(tape.add(mean, tape.constant(config.normEpsilon)), -0.5)
    return row.map((x, i) => tape.multiply(weight[i]!, tape.multiply(x, inverse)))
  })
}

function attend(tape: ScalarTape, model: ReferenceModel, { layer, rows }: { layer: number; rows: readonly Row[] }): Row[] {
  const { heads, keyValueHeads, headWidth } = model.config
  const project = (name: LinearName) => rows.map((x) => linear(tape, model, { layer, name, x }))
  const [queries, keys, values] = [project('q_proj'), project('k_proj'), project('v_proj')]
  const headOf = (row: Row, head: number) => row.slice(head * headWidth, (head + 1) * headWidth)
  const turned = (row: Row, head: number, norm: string, position: number) => {
    const plain = headOf(row, head)
    const ready = model.config.queryKeyNorm ? normed(tape, model, { rows: [plain], name: norm })[0]! : plain
    return model.config.unrotatedLayers.includes(layer) ? ready : rotate(tape, model, { head: ready, position })
  }
  return rows.map((_, position) => {
    const attended = Array.from({ length: heads }, (_, head) => {
      const group = Math.floor(head / (heads / keyValueHeads))
      const query = turned(queries[position]!, head, tensorNames.queryNorm(layer), position)
      const scores = keys.slice(0, position + 1).map((key, t) => {
        const turnedKey = turned(key, group, tensorNames.keyNorm(layer), t)
        const dot = tape.sum(query.map((q, i) => tape.multiply(q, turnedKey[i]!)))
        return tape.multiply(dot, tape.constant(1 / Math.sqrt(headWidth)))
      })
      const weights = logSoftmax(tape, scores).map((score) => tape.exponential(score))
      return Array.from({ length: headWidth }, (_, i) =>
        tape.sum(weights.map((weight, t) => tape.multiply(weight, headOf(values[t]!, group)[i]!))),
      )
    })
    return linear(tape, model, { layer, name: 'o_proj', x: attended.flat() })
  })
}

/** Rotates the pair (i, i + half) by position / theta^(2 i / headWidth), where the scaling of Llama 3.1 may make that frequency lower. */
function rotate(tape: ScalarTape, { config }: ReferenceModel, { head, position }: { head: Row; position: number }): Row {
  const half = config.headWidth / 2
  const turned = (i: number, sign: 1 | -1) => {
    const angle = position * frequencyOf(config, i % half)
    const other = head[(i + half) % config.headWidth]!
    return tape.add(tape.multiply(head[i]!, tape.constant(Math.cos(angle))), tape.multiply(other, tape.constant(sign * Math.sin(angle))))
  }
  return head.map((_, i) => turned(i, i < half ? -1 : 1))
}

/** By wavelength: long ones are slowed by the factor, short ones kept, and those between in proportion (Llama 3.1). */
function frequencyOf({ ropeTheta, headWidth, ropeScaling }: ModelConfig, i: number): number {
  const frequency = ropeTheta ** ((-2 * i) / headWidth)
  if (!ropeScaling) return frequency
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalContextLength } = ropeScaling
  const wavelength = (2 * Math.PI) / frequency
  if (wavelength < originalContextLength / highFrequencyFactor) return frequency
  if (wavelength > originalContextLength / lowFrequencyFactor) return frequency / factor
  const smooth = (originalContextLength / wavelength - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor)
  return ((1 - smooth) * frequency) / factor + smooth * frequency
}

function feed(tape: ScalarTape, model: ReferenceModel, { layer, row }: { layer: number; row: Row }): Row {
  const gate = linear(tape, model, { layer, name: 'gate_proj', x: row })
  const up = linear(tape, model, { layer, name: 'up_proj', x: row })
  const gated = gate.map((x, i) => {
    const one = tape.constant(1)
    const sigmoid = tape.power(tape.add(one, tape.exponential(tape.multiply(x, tape.constant(-1)))), -1)
    return tape.multiply(tape.multiply(x, sigmoid), up[i]!)
  })
  return linear(tape, model, { layer, name: 'down_proj', x: gated })
}

function logSoftmax(tape: ScalarTape, scores: Row): Row {
  const logSum = tape.logarithm(tape.sum(scores.map((score) => tape.exponential(score))))
  const negative = tape.multiply(logSum, tape.constant(-1))
  return scores.map((score) => tape.add(score, negative))
}
