import type { TrainedModel } from '../../objective/settings/resolve-rl-settings.ts'
import type { RlSettings } from '../../objective/settings/rl-settings.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import type { CollectedGroups } from './collect-sequences.ts'
import type { CutSequences } from './cut-sequences.ts'

export interface RlNotesInput {
  settings: RlSettings
  config: TrainingConfig
  model: TrainedModel
  cut: CutSequences
  collected: Pick<CollectedGroups, 'lossyTokens' | 'silentTrajectories' | 'unscoredChoices' | 'repeatedChoices'>
  rowLength: number
}

/** Notes for the sender about how a job uses the config and the trajectories. */
export function rlNotes({ settings, config, model, cut, collected, rowLength }: RlNotesInput): string[] {
  const { lossyTokens, silentTrajectories, unscoredChoices, repeatedChoices } = collected
  return [
    learningRateNote(settings, model),
    settings.loss.truncation !== null && !settings.precalculateLogProbabilities
      ? 'truncated_importance_sampling has no effect without precalculate_logprobs'
      : null,
    settings.loss.klCoefficient === 0 && settings.klReference.kind !== 'base'
      ? `${klReferenceField(config)} has no effect while kl_penalty_coef is 0`
      : null,
    cut.cut === 0
      ? null
      : `${cut.cut} sequences were longer than the row length of ${rowLength} and were cut, with ${cut.sampledTokens} sampled tokens; ${cut.dropped} of them had nothing left to train on`,
    silentTrajectories === 0
      ? null
      : `${silentTrajectories} trajectories have no choice with log-probabilities: their rewards count in their groups, and nothing is learned from them`,
    unscoredChoices === 0
      ? null
      : `${unscoredChoices} choices have no log-probabilities and were taken as context; send choices as chat completions returned them`,
    repeatedChoices === 0
      ? null
      : `${repeatedChoices} choices stand in several histories of their trajectory and are learned once in each; send a choice once, and as a message elsewhere`,
    lossyTokens === 0
      ? null
      : `${lossyTokens} tokens were looked up by their text, which may stand for another token than was sampled; send tokens as token_id:<number>`,
  ].filter((note) => note !== null)
}

/** Null where the rate is one that teaches the model something. */
export function learningRateNote(
  { learningRate, suggestedLearningRate }: { learningRate: number; suggestedLearningRate: number | null },
  model: TrainedModel,
): string | null {
  if (suggestedLearningRate === null) return null
  return `learning_rate ${learningRate} teaches ${model.id} next to nothing; try ${suggestedLearningRate}`
}

function klReferenceField(config: TrainingConfig): string {
  if (config.kl_penalty_reference_step != null) return 'kl_penalty_reference_step'
  return config.kl_penalty_step_lag != null ? 'kl_penalty_step_lag' : 'kl_ref_adapter_path'
}
