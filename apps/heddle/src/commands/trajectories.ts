import { resolve } from 'node:path'
import { connectTraining } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { withProgress, withSteps } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { drawRecordedTrajectory } from '../training/draw-recorded-trajectory.ts'
import { drawTrajectory } from '../training/draw-trajectory.ts'
import { findModel } from '../training/find-model.ts'
import { findRecordedTrajectories } from '../training/find-recorded-trajectories.ts'
import { findTrajectories } from '../training/find-trajectories.ts'
import { asUsageError } from '../trajectories/file-errors.ts'
import { exportLines, writeLines } from '../trajectories/export-trajectories.ts'
import { importTrajectories } from '../trajectories/import-trajectories.ts'
import type { ModelFlags } from './models.ts'

/** Prints the trajectories with this id, logged and recorded, each in its model. @throws UsageError when there is none */
export async function showTrajectory(id: string, flags: ModelFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const client = await connectTraining(configuration)
  const { project } = flags
  const [logged, recorded] = await withProgress(terminal, 'Looking for the trajectory', () =>
    Promise.all([findTrajectories(client, project, { trajectory_id: id }), findRecordedTrajectories(client, project, id)]),
  )
  if (logged.length + recorded.length === 0)
    throw new UsageError(
      `project ${project} has no logged or recorded trajectory ${JSON.stringify(id)}; choose another with --project, or log it: agent.log(split, groups)`,
    )
  const drawn = [...logged.map(drawTrajectory), ...recorded.map(drawRecordedTrajectory)]
  if (flags.json) terminal.json(JSON.stringify([...logged, ...recorded], null, 2))
  else terminal.out(drawn.join('\n\n'))
}

export type ExportFlags = ModelFlags & { recorded?: boolean; split?: string; step?: string; group?: string; rollout?: string; out?: string }

/** Writes trajectory groups as lines of JSON, to a new file or the standard output. @throws UsageError for flags that do not go together */
export async function exportTrajectories(name: string, flags: ExportFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const { recorded = false, split = null, group = null, rollout = null, out } = flags
  checkSource(flags)
  const client = await connectTraining(configuration)
  const model = await findModel(client, name, flags.project)
  const step = flags.step === undefined ? null : Number(flags.step)
  const lines = exportLines(client, { modelId: model.id, recorded, split, step, group, rollout })
  if (out === undefined) {
    for await (const line of lines) terminal.json(line.trimEnd())
    return
  }
  const path = resolve(out)
  const count = await withSteps(terminal, (onStep) =>
    writeLines(path, lines, (written) => onStep(`Exporting groups: ${written}`)).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'EEXIST') throw new UsageError(`--out ${path} exists already; choose another file`)
      throw error
    }),
  )
  terminal.note(`Exported ${count} groups of ${model.name} to ${path}.`)
}

function checkSource({ recorded, split, step, group, rollout }: ExportFlags): void {
  if (step !== undefined && !/^\d{1,9}$/.test(step)) throw new UsageError(`--step must be a whole number, got ${JSON.stringify(step)}`)
  if (recorded && (split !== undefined || step !== undefined))
    throw new UsageError('--split and --step are of logged trajectories; leave out --recorded')
  if (!recorded && (group !== undefined || rollout !== undefined))
    throw new UsageError('--group and --rollout are of recorded trajectories; add --recorded')
}

/** Logs the groups of a file of JSON lines. @throws UsageError that names the line which is refused */
export async function importTrajectoriesCommand(
  name: string,
  file: string,
  flags: ModelFlags & { split: string },
  { configuration, terminal }: ActionDeps,
): Promise<void> {
  const client = await connectTraining(configuration)
  const model = await findModel(client, name, flags.project)
  const path = resolve(file)
  const imported = await withSteps(terminal, (onStep) =>
    importTrajectories(client, { modelId: model.id, split: flags.split, path }, ({ groups }) => onStep(`Importing groups: ${groups}`)),
  ).catch((error: unknown) => {
    throw asUsageError(error, path)
  })
  if (flags.json) return terminal.json(JSON.stringify({ model_id: model.id, ...imported }, null, 2))
  terminal.note(`Imported ${imported.groups} groups with ${imported.trajectories} trajectories into ${model.name}, split ${flags.split}.`)
}
