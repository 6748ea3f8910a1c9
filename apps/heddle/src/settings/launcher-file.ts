import { readFile } from 'node:fs/promises'
import { type LauncherSettings, parseLauncherFile } from '@heddle/training'
import type { Configuration } from './configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

/**
 * What the configured file says of a training server to start; undefined without such a file.
 * @throws UsageError that names the file and what is wrong with it
 */
export async function readLauncherFile({
  trainingLauncherFile: path,
  trainingEngineUrl,
}: Pick<Configuration, 'trainingLauncherFile' | 'trainingEngineUrl'>): Promise<LauncherSettings | undefined> {
  if (path === undefined) return undefined
  if (trainingEngineUrl !== undefined)
    throw new UsageError(
      'HEDDLE_TRAINING_ENGINE_URL and HEDDLE_TRAINING_LAUNCHER_FILE exclude each other: the first names a server that runs already, the second starts one, whose "address" that file may have; unset one of them',
    )
  try {
    return parseLauncherFile(await readFile(path, 'utf8'))
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`cannot load ${path} (HEDDLE_TRAINING_LAUNCHER_FILE): ${reason}`)
  }
}
