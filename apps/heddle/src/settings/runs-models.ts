import type { Configuration } from './configuration.ts'

/** Whether models are trained and sampled by this server's own engine, not by a training server that is configured. */
export function runsModels({ trainingEngineUrl, trainingLauncherFile }: Pick<Configuration, 'trainingEngineUrl' | 'trainingLauncherFile'>) {
  return trainingEngineUrl === undefined && trainingLauncherFile === undefined
}
