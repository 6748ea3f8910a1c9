import { badRequest } from '@heddle/core-api/internal'
import type { KlReference } from './rl-settings.ts'
import type { TrainingConfig } from './training-config.ts'

/**
 * Which weights the KL penalty compares with: a step, a number of steps back, a checkpoint by its address, or the base model.
 * Clients mean a path in the trainer's file system by `kl_ref_adapter_path`. A server that opened it would read any file for them, so only addresses
 * of checkpoints are taken.
 * @throws ApiError 400
 */
export function resolveKlReference(config: TrainingConfig): KlReference {
  const { kl_penalty_reference_step: step, kl_penalty_step_lag: lag, kl_ref_adapter_path: path } = config
  if (step != null && lag != null) {
    throw badRequest(`kl_penalty_reference_step ${step} and kl_penalty_step_lag ${lag} exclude each other; send one of them`)
  }
  if (step != null) return { kind: 'step', step: wholeNumber('kl_penalty_reference_step', step, 0) }
  if (lag != null) return { kind: 'lag', steps: wholeNumber('kl_penalty_step_lag', lag, 1) }
  if (path != null && path !== '') return { kind: 'artifact', address: checkAddress(path) }
  return { kind: 'base' }
}

/** `<scheme>-artifact:///{entity}/{project}/{name}:step{N}`, as in chat completions. */
function checkAddress(path: string): string {
  const address = /^[a-z][a-z0-9]*-artifact:\/{2,3}[^/\\\0]+\/[^/\\\0]+\/[^/\\\0]+$/.exec(path)
  if (address && !path.split('/').includes('..')) return path
  throw badRequest(
    `kl_ref_adapter_path "${path.slice(0, 200)}" is not the address of a checkpoint; send one like wandb-artifact:///entity/project/model:step3, or kl_penalty_reference_step for a step of this model`,
  )
}

function wholeNumber(field: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) throw badRequest(`${field} ${value} must be a whole number of ${least} or above`)
  return value
}

/** The step of the model under training that a penalty compares with; null where it is the base model or named by its address. */
export function klReferenceStep(reference: KlReference, currentStep: number): number | null {
  if (reference.kind === 'step') return reference.step
  return reference.kind === 'lag' ? Math.max(currentStep - reference.steps, 0) : null
}
