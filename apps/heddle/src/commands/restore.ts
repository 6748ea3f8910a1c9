import { resolve } from 'node:path'
import { restoreBackup } from '../backup/restore-backup.ts'
import { summaryOf } from '../backup/summary.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import { openBlobs } from '../stores/blobs.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { assertKeepsAll } from './backup.ts'

export interface RestoreCommandOptions {
  folder: string
  /** The backup is read, and nothing is restored. */
  isCheck: boolean
  configuration: Configuration
  terminal: Terminal
}

/** Makes the data folder from a backup, or checks the backup alone. */
export async function restore({ folder, isCheck, configuration, terminal }: RestoreCommandOptions): Promise<void> {
  const source = resolve(folder)
  if (isCheck) {
    const manifest = await withSteps(terminal, (onStep) => verifyBackup(source, onStep))
    terminal.note(`The backup in ${source} is complete: ${summaryOf(manifest)}.`)
    return
  }
  assertKeepsAll(configuration)
  const { dataDir } = configuration
  const openBlobsIn = (dataDir: string) => openBlobs({ ...configuration, dataDir })
  const manifest = await withSteps(terminal, (onStep) => restoreBackup({ folder: source, dataDir, openBlobs: openBlobsIn, onStep }))
  terminal.note(`Restored ${dataDir}: ${summaryOf(manifest)}; counts, digests and references match the backup.`)
  terminal.note('API keys are those of the backup. To create a new one: `heddle keys create --name admin --role admin`.')
}
