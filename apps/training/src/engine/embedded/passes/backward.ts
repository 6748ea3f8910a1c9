import type { LinearName } from '../../../checkpoint-files/model-tensors.ts'
import type { Address } from '../kernels/kernels.ts'
import type { LayerParameters, Parameter } from '../model/parameters.ts'
import type { LayerActivations } from './activations.ts'
import { blocksOfAttention } from '../blocks.ts'
import { backwardChunk, forwardChunk, listChunks, type Pass } from './forward.ts'
import { addOuter, backwardLinear } from './linear.ts'
import type { Work } from '../work.ts'

/**
 * Adds the gradient of the sum of coefficient times log-probability over the scored rows to a buffer. Follows `forwardPass` with the same pass, whose
 * stored probabilities or their gradients it overwrites. Yields after each block.
 */
export function* backwardPass(pass: Pass, coefficients: Float32Array, gradients: Address): Work<void> {
  const { view, model, rows, activations, work } = pass
  view.floats(work.coefficients, coefficients.length).set(coefficients)
  yield* backwardHead(pass, gradients)
  for (let layer = model.layers.length - 1; layer >= 0; layer--) {
    yield* backwardLayer(pass, { layer: model.layers[layer]!, activations: activations.layers[layer]!, gradients })
  }
  if (model.embedding.gradientOffset < 0) return
  const target = gradients + model.embedding.gradientOffset
  view.kernels.addToColumns(target, model.config.width, activations.tokens, rows.tokens.length, work.dResidual)
}

function gradientOf(parameter: Parameter, gradients: Address, discarded: Address): Address {
  return parameter.gradientOffset < 0 ? discarded : gradients + parameter.gradientOffset
}

function* backwardHead(pass: Pass, gradients: Address): Work<void> {
  const { view, model, rows, activations, work } = pass
  const { width } = model.config
  const scored = rows.scoredRows.length
  const dScored = activations.headGradients || work.dScored
  if (activations.headGradients) view.kernels.scaleRows(dScored, scored, width, work.coefficients)
  else yield* backwardTrainedHead(pass, gradients)
  // The gradient of the final norm's output becomes that of its input, in the memory of the output itself.
  const dInput = activations.normed
  view.floats(dInput, scored * width).fill(0)
  const dNorm = gradientOf(model.finalNorm, gradients, work.discarded)
  view.kernels.rmsNormBackward(
    activations.scored,
    model.finalNorm.address,
    activations.scoredInverse,
    dScored,
    dInput,
    dNorm,
    scored,
    width,
  )
  sumRepeated(view.floats(dInput, scored * width), rows.scoredRows, width)
  view.floats(work.dResidual, rows.tokens.length * width).fill(0)
  view.kernels.scatterRows(dInput, width, activations.scoredRows, scored, work.dResidual)
}

/** Adds the gradients of the targets of one row up in those of its last target, which are the ones that stay when rows are scattered. */
function sumRepeated(gradients: Float32Array, scoredRows: Int32Array, width: number): void {
  for (let i = 1; i < scoredRows.length; i++) {
    if (scoredRows[i] !== scoredRows[i - 1]) continue
    for (let at = i * width; at < (i + 1) * width; at++) gradients[at]! += gradients[at - width]!
  }
}

function* backwardTrainedHead(pass: Pass, gradients: Address): Work<void> {
  const { view, model, activations, work } = pass
  const { kernels } = view
  const { inner, columns } = model.head
  for (const chunk of listChunks(pass)) {
    const { from, rows } = chunk
    const probabilities = activations.probabilities ? activations.probabilities + from * columns * 4 : yield* forwardChunk(pass, chunk)
    yield
    yield* backwardChunk(pass, { chunk, probabilities, dx: work.dScored })
    kernels.pack(probabilities, columns, rows, columns, work.packed)
    yield* addOuter(kernels, { x: activations.normed + from * inner * 4, rows, packed: work.packed, matrix: model.head, gradients })
  }
}

interface LayerPass {
  layer: LayerParameters
  activations: LayerActivations
  gradients: Address
}

/** Turns the gradient of a block's output, in `dResidual`, into that of its input. */
function* backwardLayer(pass: Pass, { layer, activations, gradients }: LayerPass): Work<void> {
  const { view, model, work } = pass
  const { kernels } = view
  const { width, normEpsilon, feedForwardWidth } = model.config
  const rows = pass.rows.tokens.length
  const linear = (name: LinearName, x: Address, dy: Address, dx: Address, accumulate: 0 | 1) =>
    backwardLinear(
      kernels,
      { linear: layer.linears[name], factor: model.adapterFactor, x, rows, adapted: activations.adapters[name] },
      { dy, dx, accumulate, gradients },
      work,
    )
  const norm = (parameter: Parameter, x: Address, inverse: Address) => {
    const dWeight = gradientOf(parameter, gradients, work.discarded)
    kernels.rmsNormBackward(x, parameter.address, inverse, work.dNormed, work.dResidual, dWeight, rows, width)
  }

  kernels.swiglu(activations.gate, activations.up, work.gated, rows * feedForwardWidth)
  yield* linear('down_proj', work.gated, work.dResidual, work.dWide, 0)
  kernels.swigluBackward(activations.gate, activations.up, work.dWide, work.dGate, work.dUp, rows * feedForwardWidth)
  kernels.rmsNorm(activations.middle, layer.feedForwardNorm.address, work.normed, activations.feedForwardInverse, rows, width, normEpsilon)
  yield* linear('gate_proj', work.normed, work.dGate, work.dNormed, 0)
  yield* linear('up_proj', work.normed, work.dUp, work.dNormed, 1)
  norm(layer.feedForwardNorm, activations.middle, activations.feedForwardInverse)

  yield* linear('o_proj', activations.attended, work.dResidual, work.dAttended, 0)
  yield* backwardAttention(pass, layer, activations)
  kernels.rmsNorm(activations.input, layer.attentionNorm.address, work.normed, activations.attentionInverse, rows, width, normEpsilon)
  yield* linear('q_proj', work.normed, backwardHeads(pass, { layer, activations, gradients }, 'query'), work.dNormed, 0)
  yield* linear('k_proj', work.normed, backwardHeads(pass, { layer, activations, gradients }, 'key'), work.dNormed, 1)
  yield* linear('v_proj', work.normed, work.dValues, work.dNormed, 1)
  norm(layer.attentionNorm, activations.input, activations.attentionInverse)
}

/** Where the gradient of the projected queries or keys is: that of the attention's input, taken back through the norm of the heads if there is one. */
function backwardHeads({ view, model, rows, work }: Pass, { layer, activations, gradients }: LayerPass, of: 'query' | 'key'): Address {
  const { heads, keyValueHeads, headWidth } = model.config
  const [weight, raw, inverse, dNormed, count] =
    of === 'query'
      ? ([layer.queryNorm, activations.rawQueries, activations.queryInverse, work.dQueries, heads] as const)
      : ([layer.keyNorm, activations.rawKeys, activations.keyInverse, work.dKeys, keyValueHeads] as const)
  if (!weight) return dNormed
  // The gradient of the attention's output was used up.
  const dRaw = work.dAttended
  const headRows = rows.tokens.length * count
  view.floats(dRaw, headRows * headWidth).fill(0)
  const dWeight = gradientOf(weight, gradients, work.discarded)
  view.kernels.rmsNormBackward(raw, weight.address, inverse, dNormed, dRaw, dWeight, headRows, headWidth)
  return dRaw
}

function* backwardAttention({ view, model, rows, work }: Pass, { isRotated }: LayerParameters, activations: LayerActivations): Work<void> {
  const { heads, keyValueHeads, headWidth } = model.config
  const queryRow = heads * headWidth
  const keyRow = keyValueHeads * headWidth
  const { kernels } = view
  view.floats(work.dKeys, rows.tokens.length * keyRow).fill(0)
  view.floats(work.dValues, rows.tokens.length * keyRow).fill(0)
  for (const { start, length } of rows.sequences) {
    const byQuery = start * queryRow * 4
    const byKey = start * keyRow * 4
    for (const { first, count } of blocksOfAttention(kernels, { length, heads, headWidth, products: 5 })) {
      kernels.attentionBackward(
        ...([
          activations.queries + byQuery,
          activations.keys + byKey,
          activations.values + byKey,
          activations.logSums + start * heads * 4,
        ] as const),
        ...([work.dAttended + byQuery, work.dQueries + byQuery, work.dKeys + byKey, work.dValues + byKey] as const),
        ...([length, heads, keyValueHeads, headWidth, 1 / Math.sqrt(headWidth), work.attention, first, count] as const),
      )
      yield
    }
    if (!isRotated) continue
    kernels.rotate(work.dQueries + byQuery, queryRow, length, heads, headWidth, model.cosines, model.sines, 0, -1)
    kernels.rotate(work.dKeys + byKey, keyRow, length, keyValueHeads, headWidth, model.cosines, model.sines, 0, -1)
  }
}
