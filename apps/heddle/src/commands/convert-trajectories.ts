import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readGroupLines } from '@heddle/agent-instrumentation'
import { stringifyJson } from '@heddle/json'
import type { ActionDeps } from '../program-flags.ts'
import { version } from '../settings/version.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { groupsFromAtif } from '../trajectories/atif/groups-from-atif.ts'
import { toAtif } from '../trajectories/atif/to-atif.ts'
import { writeLines } from '../trajectories/export-trajectories.ts'
import { asUsageError } from '../trajectories/file-errors.ts'

/** Writes the ATIF trajectories at the paths as groups, one a line. @throws UsageError that names the file */
export async function fromAtifCommand(paths: readonly string[], { out }: { out: string }, { terminal }: ActionDeps): Promise<void> {
  const path = resolve(out)
  const groups = await groupsFromAtif(paths.map((each) => resolve(each))).catch((error: unknown) => {
    throw asUsageError(error, String((error as { path?: unknown }).path ?? paths.join(', ')))
  })
  await writeLines(path, linesOf(groups), () => undefined).catch((error: unknown) => {
    throw (error as { code?: unknown }).code === 'EEXIST' ? new UsageError(`--out ${path} exists already; choose another file`) : error
  })
  terminal.note(`Converted ${groups.length} groups to ${path}.`)
}

async function* linesOf(groups: readonly object[]): AsyncGenerator<string> {
  for (const group of groups) yield `${stringifyJson(group)}\n`
}

/** Writes each trajectory of a file of groups as a file of ATIF, to a new folder. @throws UsageError that names the line which is refused */
export async function toAtifCommand(file: string, { out }: { out: string }, { terminal }: ActionDeps): Promise<void> {
  const folder = resolve(out)
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw (error as { code?: unknown }).code === 'EEXIST' ? new UsageError(`--out ${folder} exists already; choose another folder`) : error
  })
  try {
    const written = await writeDocuments(resolve(file), folder)
    terminal.note(`Converted ${written} trajectories to ${folder}.`)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw asUsageError(error, resolve(file))
  }
}

async function writeDocuments(file: string, folder: string): Promise<number> {
  const agent = { name: 'heddle', version }
  let written = 0
  for await (const { line, group } of readGroupLines(file)) {
    const name = String((group.metadata as Record<string, unknown> | undefined)?.['group_id'] ?? `line ${line}`)
    for (const [at, trajectory] of group.trajectories.entries()) {
      const document = toAtif(trajectory, { id: `${line}-${at + 1}`, group: name }, agent)
      if (document === null) continue
      await writeFile(join(folder, `${line}-${at + 1}.json`), `${stringifyJson(document)}\n`, { flag: 'wx', mode: 0o600 })
      written++
    }
  }
  return written
}
