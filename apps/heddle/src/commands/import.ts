import { resolve } from 'node:path'
import { parseProjectId } from '@heddle/identity'
import { connectExactly } from '../connect.ts'
import type { ForeignSource } from '../import-from/foreign-sources.ts'
import { type FormFlags, toChosenForm } from '../import-from/form-flags.ts'
import { importFrom } from '../import-from/import-from.ts'
import { linesOf } from '../import-from/import-report.ts'
import { importProject } from '../export/import-project.ts'
import { withSteps } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { countsOf, type TransferOptions } from './export.ts'

type ImportOptions = TransferOptions & { form?: FormFlags }

/** Writes an exported project to a project of the running server. */
export async function importCommand({ folder, project: name, form = {}, configuration, terminal }: ImportOptions): Promise<void> {
  for (const [flag, value] of Object.entries(form))
    if (value !== undefined) throw new UsageError(`--${flag} applies only to exports of other products: add --from`)
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

/** Imports an export of another product, and lists the records that were skipped. */
export async function importForeignCommand(options: Omit<ImportOptions, 'folder'> & { path: string; from: ForeignSource }): Promise<void> {
  const { path, from, configuration, terminal } = options
  const form = toChosenForm(options.form ?? {})
  const project = parseProjectId(options.project).id
  const client = await connectExactly(configuration)
  const source = { client, project, from, path: resolve(path), form, onNote: (line: string) => terminal.note(line) }
  const report = await withSteps(terminal, (onStep) => importFrom({ ...source, onStep }))
  for (const line of linesOf(report)) terminal.note(line)
}
