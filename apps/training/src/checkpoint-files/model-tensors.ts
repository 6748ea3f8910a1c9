import type { ModelConfig } from './model-config.ts'

/** The linear layers of a block, as checkpoints name them, in the order in which they are computed. */
export const linearNames = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const
export type LinearName = (typeof linearNames)[number]

/** [in, out] of a linear layer. Files hold its weight as [out, in]. */
export function linearShape(config: ModelConfig, name: LinearName): readonly [number, number] {
  const { width, feedForwardWidth } = config
  const queries = config.heads * config.headWidth
  const keys = config.keyValueHeads * config.headWidth
  const shapes: Record<LinearName, readonly [number, number]> = {
    q_proj: [width, queries],
    k_proj: [width, keys],
    v_proj: [width, keys],
    o_proj: [queries, width],
    gate_proj: [width, feedForwardWidth],
    up_proj: [width, feedForwardWidth],
    down_proj: [feedForwardWidth, width],
  }
  return shapes[name]
}

/** Whether a linear layer adds a vector to its output. */
export function hasBias({ biases }: ModelConfig, name: LinearName): boolean {
  if (name === 'o_proj') return biases.attentionOutput
  return blockOf(name) === 'mlp' ? biases.feedForward : biases.queriesKeysValues
}

/** Names of tensors in the files of a model and of a PEFT adapter. */
export const tensorNames = {
  embedding: 'model.embed_tokens.weight',
  head: 'lm_head.weight',
  finalNorm: 'model.norm.weight',
  attentionNorm: (layer: number) => `model.layers.${layer}.input_layernorm.weight`,
  feedForwardNorm: (layer: number) => `model.layers.${layer}.post_attention_layernorm.weight`,
  queryNorm: (layer: number) => `model.layers.${layer}.self_attn.q_norm.weight`,
  keyNorm: (layer: number) => `model.layers.${layer}.self_attn.k_norm.weight`,
  bias: (layer: number, name: LinearName) => `model.layers.${layer}.${blockOf(name)}.${name}.bias`,
  linear: (layer: number, name: LinearName) => `model.layers.${layer}.${blockOf(name)}.${name}.weight`,
  adapter: (layer: number, name: LinearName, part: 'lora_A' | 'lora_B') =>
    `base_model.model.model.layers.${layer}.${blockOf(name)}.${name}.${part}.weight`,
}

function blockOf(name: LinearName): string {
  return name === 'gate_proj' || name === 'up_proj' || name === 'down_proj' ? 'mlp' : 'self_attn'
}
