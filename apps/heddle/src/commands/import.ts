import { resolve } from 'node:path'
import { parseProjectId } from '@heddle/identity'
import { connectExactly } from '../connect.ts'
import type { ForeignSource } from '../import-from/foreign-sources.ts'
import { importFrom } from '../import-from/import-from.ts'
import { linesOf } from '../import-from/import-report.ts'
import { importProject } from '../export/import-project.ts'
import { withSteps } from '../terminal/progress.ts'
import { countsOf, type TransferOptions } from './export.ts'

/** Writes an exported project to a project of the running server. */
export async function importCommand({ folder, project: name, configuration, terminal }: TransferOptions): Promise<void> {
  const project = parseProjectId(name).id
  const source = resolve(folder)
  const client = await connectExactly(configuration)
  const {
    counts,
    project: from,
    leftOut,
  } = await withSteps(terminal, (onStep) => importProject({ client, project, folder: source, onStep }))
  terminal.note(`Imported ${from} into ${project}: ${countsOf(counts)}; everything was read back and compared.`)
  for (const sentence of leftOut) terminal.note(sentence)
}

/** Imports an export of another product, and says what was not taken. */
export async function importForeignCommand(
  options: Omit<TransferOptions, 'folder'> & { path: string; from: ForeignSource },
): Promise<void> {
  const { path, from, configuration, terminal } = options
  const project = parseProjectId(options.project).id
  const client = await connectExactly(configuration)
  const report = await withSteps(terminal, (onStep) => importFrom({ client, project, from, path: resolve(path), onStep }))
  for (const line of linesOf(report)) terminal.note(line)
}
