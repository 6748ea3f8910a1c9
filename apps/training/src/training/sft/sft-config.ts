import { badRequest } from '@heddle/core-api/internal'
import type { AssistantTurns } from '../../sequences/fine-tuning/sft-example.ts'

/** A client's config of supervised fine-tuning, by its names on the wire. Null means absent. */
export interface SftConfig {
  batch_size?: number | 'auto' | null | undefined
  learning_rate?: number | readonly number[] | null | undefined
  assistant_turns?: AssistantTurns | null | undefined
  metric_logging?: { enabled: boolean } | null | undefined
}

const automaticBatchSize = 2

/** Conversations of a gradient step. */
export function resolveBatchSize({ batch_size: size }: SftConfig): number {
  return size == null || size === 'auto' ? automaticBatchSize : size
}

/** A key that is equal for configs with the same training, however they are written. The logging of metrics does not affect it. */
export function toSftIdentity(config: SftConfig | null): string {
  const { learning_rate = null, assistant_turns } = config ?? {}
  return JSON.stringify([resolveBatchSize(config ?? {}), learning_rate, assistant_turns ?? 'all'])
}

/** @throws ApiError 400 for a learning rate that is not a number of 0 or above */
export function checkSftConfig({ learning_rate: rate }: SftConfig): void {
  const bad = (Array.isArray(rate) ? rate : [rate ?? 0]).find((each: number) => !(each >= 0 && Number.isFinite(each)))
  if (bad !== undefined) throw badRequest(`learning_rate ${bad} must be 0 or above`)
}
