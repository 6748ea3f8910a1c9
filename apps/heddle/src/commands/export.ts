import { resolve } from 'node:path'
import { parseProjectId } from '@heddle/identity'
import type { Configuration } from '../settings/configuration.ts'
import { connectExactly } from '../connect.ts'
import { exportProject } from '../export/export-project.ts'
import type { ExportManifest } from '../export/export-manifest.ts'
import { formatBytes } from '../terminal/measures.ts'
import { withSteps } from '../terminal/progress.ts'
import { systemClock } from '../process/system-clock.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { version } from '../settings/version.ts'

export interface TransferOptions {
  folder: string
  /** `entity/project`. */
  project: string
  configuration: Configuration
  terminal: Terminal
}

/** Writes a project of the running server to a folder. */
export async function exportCommand({ folder, project: name, configuration, terminal }: TransferOptions): Promise<void> {
  const project = parseProjectId(name).id
  const target = resolve(folder)
  const client = await connectExactly(configuration)
  const { counts, unnamedBytes, missingRows } = await withSteps(terminal, (onStep) =>
    exportProject({ client, project, folder: target, version, clock: systemClock, onStep }),
  )
  terminal.note(`Exported ${project} to ${target}: ${countsOf(counts)}.`)
  if (unnamedBytes > 0) terminal.note(`Skipped ${formatBytes(unnamedBytes)} of files that nothing in the project refers to.`)
  if (missingRows > 0)
    terminal.note(`Tables refer to ${missingRows} rows that were never stored; an import creates these tables without them.`)
}

/** Numbers for people. */
export function countsOf(counts: ExportManifest['counts']): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}
