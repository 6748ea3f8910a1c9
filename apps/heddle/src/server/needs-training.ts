import { hasStoredWork } from '@heddle/training'
import type { Configuration } from '../settings/configuration.ts'
import type { Stores } from '../stores/stores.ts'

/**
 * Whether a start opens the training service, rather than its first request: where jobs or sweeps may be due, where another server may enqueue jobs, and where
 * a setting is to be checked or an engine watched.
 */
export async function needsTraining(configuration: Configuration, { database }: Pick<Stores, 'database'>): Promise<boolean> {
  const { only, databaseUrl, baseModelsDir, trainingEngineUrl, trainingLauncherFile, trainingBlasFile, samplerUrl } = configuration
  if (only === 'training') return true
  const needing = [databaseUrl, baseModelsDir, trainingEngineUrl, trainingLauncherFile, trainingBlasFile, samplerUrl]
  if (needing.some((setting) => setting !== undefined)) return true
  return hasStoredWork(database)
}
