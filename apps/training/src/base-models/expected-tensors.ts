import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { hasBias, linearNames, linearShape, tensorNames } from '../checkpoint-files/model-tensors.ts'

export interface ExpectedTensor {
  name: string
  shape: readonly number[]
}

/** The tensors that the weights of a model consist of, with their shapes in files. */
export function expectedTensors(config: ModelConfig): ExpectedTensor[] {
  const { vocabularySize, width } = config
  const embedding = [vocabularySize, width]
  const layers = Array.from({ length: config.layers }, (_, layer) => [
    { name: tensorNames.attentionNorm(layer), shape: [width] },
    { name: tensorNames.feedForwardNorm(layer), shape: [width] },
    ...(config.queryKeyNorm ? [tensorNames.queryNorm(layer), tensorNames.keyNorm(layer)] : []).map((name) => ({
      name,
      shape: [config.headWidth],
    })),
    ...linearNames.map((name) => ({ name: tensorNames.linear(layer, name), shape: linearShape(config, name).toReversed() })),
    ...linearNames
      .filter((name) => hasBias(config, name))
      .map((name) => ({ name: tensorNames.bias(layer, name), shape: [linearShape(config, name)[1]] })),
  ])
  return [
    { name: tensorNames.embedding, shape: embedding },
    { name: tensorNames.finalNorm, shape: [width] },
    ...(config.tiedEmbeddings ? [] : [{ name: tensorNames.head, shape: embedding }]),
    ...layers.flat(),
  ]
}
