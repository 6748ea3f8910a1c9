import type { Configuration } from '../settings/configuration.ts'
import { readLauncherFile } from '../settings/launcher-file.ts'
import { openLauncher } from '../server/training-launcher.ts'
import { failure, type Finding, ok } from './finding.ts'
import { messageOf } from '../terminal/message-of.ts'

const name = 'Training launcher'
const checkMs = 20_000

/** Whether the cluster, or this machine, that training servers are started on answers, and what runs there. No finding without a launcher. */
export async function checkTrainingLauncher(
  configuration: Pick<Configuration, 'trainingLauncherFile' | 'trainingEngineUrl' | 'trainingLauncherToken' | 'dataDir'>,
): Promise<Finding[]> {
  try {
    const settings = await readLauncherFile(configuration)
    if (settings === undefined) return []
    const launcher = openLauncher(settings, configuration)
    const servers = await launcher.servers(AbortSignal.timeout(checkMs))
    return [ok(name, `${launcher.place} answers; ${servers.join(', ') || `no server "${settings.name}" runs there`}`)]
  } catch (error) {
    const detail = messageOf(error)
    return [failure(name, detail, 'fix the file or the cluster, or unset HEDDLE_TRAINING_LAUNCHER_FILE: see docs/launchers.md')]
  }
}
