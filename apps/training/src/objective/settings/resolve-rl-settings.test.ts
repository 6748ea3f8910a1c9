import { describe, expect, test } from 'vitest'
import { aTrainedModel } from '../testing/objective-vectors.ts'
import { describeRlSettings } from './describe-rl-settings.ts'
import { klReferenceStep } from './resolve-kl-reference.ts'
import { resolveRlSettings } from './resolve-rl-settings.ts'
import type { TrainingConfig } from './training-config.ts'

const resolve = (config: TrainingConfig, contextLength = 32_768) => resolveRlSettings(config, { ...aTrainedModel, contextLength })

describe('defaults', () => {
  test('hold for an empty config, and null is absent', () => {
    const nulls = Object.fromEntries(Object.keys(describeRlSettings(resolve({}), 2048)).map((field) => [field, null]))
    expect(resolve(nulls)).toEqual(resolve({}))
    expect(describeRlSettings(resolve({}), 2048)).toEqual({
      learning_rate: 1e-5,
      scale_rewards: true,
      normalize_advantages: true,
      advantage_balance: 0,
      distillation_teacher: null,
      loss_fn: 'cispo',
      ppo: false,
      epsilon: 1,
      epsilon_high: 4,
      importance_sampling_level: 'token',
      max_negative_advantage_importance_sampling_weight: null,
      mask_prob_ratio: false,
      kimi_k2_tau: null,
      kl_penalty_coef: 0,
      kl_penalty_source: 'current_learner',
      kl_penalty_reference_step: null,
      kl_penalty_step_lag: null,
      kl_ref_adapter_path: null,
      precalculate_logprobs: false,
      truncated_importance_sampling: null,
      scale_learning_rate_by_reward_std_dev: false,
      num_trajectories_learning_rate_multiplier_power: 0,
      logprob_calculation_chunk_size: null,
      packed_sequence_length: 2048,
      plot_tensors: false,
      seed: null,
      allow_training_without_logprobs: false,
    })
  })

  test.each([
    [{ ppo: true }, { epsilon: 0.2, epsilonHigh: 0.2 }],
    [
      { ppo: true, epsilon: 0.1 },
      { epsilon: 0.1, epsilonHigh: 0.1 },
    ],
    [
      { ppo: true, epsilon_high: 0.3 },
      { epsilon: 0.2, epsilonHigh: 0.3 },
    ],
    [{ epsilon: 0.2 }, { epsilon: 0.2, epsilonHigh: 4 }],
    [{ loss_fn: 'ppo' }, { lossFunction: 'ppo', epsilon: 0.2, epsilonHigh: 0.2 }],
    [{ loss_fn: 'cispo', ppo: false }, { lossFunction: 'cispo' }],
  ])('of the clip with %j are %j', (config, loss) => {
    expect(resolve(config).loss).toMatchObject(loss)
  })

  test.each([
    [{ scale_rewards: false }, false],
    [{ normalize_advantages: false }, false],
    [{ scale_rewards: true, normalize_advantages: true }, true],
  ])('scaling with %j is %s', (config, scale) => {
    expect(resolve(config).scaleRewards).toBe(scale)
  })

  test('switches are off at 0', () => {
    const off = { max_negative_advantage_importance_sampling_weight: 0, kimi_k2_tau: 0, truncated_importance_sampling: 0 }
    expect(resolve(off).loss).toEqual(resolve({}).loss)
  })

  test('the learning rate is that of the base model, which is suggested instead of one that is far below', () => {
    expect(resolve({})).toMatchObject({ learningRate: 1e-5, suggestedLearningRate: null })
    expect(resolve({ learning_rate: 5e-6 })).toMatchObject({ learningRate: 5e-6, suggestedLearningRate: null })
    expect(resolve({ learning_rate: 1e-7 })).toMatchObject({ learningRate: 1e-7, suggestedLearningRate: 1e-5 })
    expect(resolve({ learning_rate: 0 }).suggestedLearningRate).toBeNull()
  })

  test.each([
    [{}, { kind: 'base' }],
    [{ kl_penalty_reference_step: 3 }, { kind: 'step', step: 3 }],
    [{ kl_penalty_step_lag: 2 }, { kind: 'lag', steps: 2 }],
    [{ kl_ref_adapter_path: '' }, { kind: 'base' }],
    [{ kl_ref_adapter_path: 'wandb-artifact:///e/p/m:step3' }, { kind: 'artifact', address: 'wandb-artifact:///e/p/m:step3' }],
    [
      { kl_penalty_reference_step: 1, kl_ref_adapter_path: 'a-artifact://e/p/m' },
      { kind: 'step', step: 1 },
    ],
  ])('the reference of %j is %j', (config, reference) => {
    expect(resolve(config).klReference).toEqual(reference)
  })

  test('a lag counts back from the current step, and ends at the first', () => {
    expect(klReferenceStep({ kind: 'lag', steps: 2 }, 7)).toBe(5)
    expect(klReferenceStep({ kind: 'lag', steps: 9 }, 7)).toBe(0)
    expect(klReferenceStep({ kind: 'step', step: 4 }, 7)).toBe(4)
    expect(klReferenceStep({ kind: 'base' }, 7)).toBeNull()
  })
})

describe('a config is refused with the name of the field', () => {
  test.each<[TrainingConfig, string]>([
    [
      { importance_sampling_level: 'word' },
      'importance_sampling_level "word" is not known; it may be token, sequence, average, geometric_average',
    ],
    [{ kl_penalty_source: 'x' }, 'kl_penalty_source "x"'],
    [{ loss_fn: 'dpo' }, 'loss_fn "dpo" is not known; it may be cispo, ppo'],
    [{ epsilon: -0.1 }, 'epsilon -0.1 must be 0 or above'],
    [{ epsilon_high: -1 }, 'epsilon_high -1'],
    [{ advantage_balance: 1.5 }, 'advantage_balance 1.5 must be from -1 to 1'],
    [{ advantage_balance: Number.NaN }, 'advantage_balance NaN'],
    [{ learning_rate: -1 }, 'learning_rate -1'],
    [{ kl_penalty_coef: -1 }, 'kl_penalty_coef -1'],
    [{ kimi_k2_tau: -1 }, 'kimi_k2_tau -1'],
    [{ ppo: true, loss_fn: 'cispo' }, 'ppo true contradicts loss_fn "cispo"'],
    [{ ppo: false, loss_fn: 'ppo' }, 'ppo false contradicts loss_fn "ppo"'],
    [{ packed_sequence_length: 3000 }, 'packed_sequence_length 3000 must be a multiple of 1024'],
    [{ packed_sequence_length: 0 }, 'packed_sequence_length 0'],
    [{ packed_sequence_length: 65_536 }, 'at most 32768, the context of model-a'],
    [{ packed_sequence_length: 3072, logprob_calculation_chunk_size: 2048 }, 'must be a multiple of logprob_calculation_chunk_size 2048'],
    [{ logprob_calculation_chunk_size: 1.5 }, 'logprob_calculation_chunk_size 1.5'],
    [{ logprob_calculation_chunk_size: 0 }, 'logprob_calculation_chunk_size 0 must be a whole number from 1'],
    [{ kl_penalty_reference_step: 1, kl_penalty_step_lag: 1 }, 'kl_penalty_reference_step 1 and kl_penalty_step_lag 1 exclude each other'],
    [{ seed: -1 }, 'seed -1 must be a whole number from 0 to 2147483647'],
    [{ seed: 0.5 }, 'seed 0.5'],
    [{ seed: 2 ** 31 }, 'seed 2147483648'],
    [{ kl_penalty_reference_step: -1 }, 'kl_penalty_reference_step -1'],
    [{ kl_penalty_step_lag: 0 }, 'kl_penalty_step_lag 0 must be a whole number of 1 or above'],
    [{ kl_ref_adapter_path: '/etc/passwd' }, 'kl_ref_adapter_path "/etc/passwd" is not the address of a checkpoint'],
    [{ kl_ref_adapter_path: '../../adapter' }, 'kl_ref_adapter_path'],
    [{ kl_ref_adapter_path: 'wandb-artifact:///e/../m' }, 'kl_ref_adapter_path'],
    [{ kl_ref_adapter_path: 'file:///e/p/m' }, 'kl_ref_adapter_path'],
    [{ kl_ref_adapter_path: 'wandb-artifact:///e/p/m/adapter' }, 'kl_ref_adapter_path'],
  ])('%j', (config, message) => {
    expect(() => resolve(config)).toThrow(message)
    expect(() => resolve(config)).toThrow(expect.objectContaining({ status: 400 }))
  })

  test('a context below the default chunk is the chunk', () => {
    expect(resolve({ packed_sequence_length: 256 }, 256).rowLength).toBe(256)
    expect(() => resolve({ packed_sequence_length: 128 }, 256)).toThrow(
      'must be a multiple of 256, the default of logprob_calculation_chunk_size',
    )
    expect(resolve({ packed_sequence_length: 128, logprob_calculation_chunk_size: 64 }, 256)).toMatchObject({
      rowLength: 128,
      chunkSize: 64,
    })
  })

  test('a chunk beyond the context, as the newest client sends unasked, is the context', () => {
    const unasked = { logprob_calculation_chunk_size: 1_024 }
    expect(resolve(unasked, 256)).toMatchObject({ rowLength: null, chunkSize: 256 })
    expect(resolve({ ...unasked, packed_sequence_length: 256 }, 256).rowLength).toBe(256)
    expect(() => resolve({ ...unasked, packed_sequence_length: 128 }, 256)).toThrow(
      'a multiple of 256, the most of logprob_calculation_chunk_size',
    )
  })
})
