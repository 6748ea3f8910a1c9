import { connectTraining } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { withProgress } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { drawTrajectory } from '../training/draw-trajectory.ts'
import { findTrajectories } from '../training/find-trajectories.ts'
import type { ModelFlags } from './models.ts'

/** Prints the logged trajectories with this id, each in its model. @throws UsageError when there is none */
export async function showTrajectory(id: string, flags: ModelFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const client = await connectTraining(configuration, flags.url)
  const found = await withProgress(terminal, 'Looking for the trajectory', () =>
    findTrajectories(client, flags.project, { trajectory_id: id }),
  )
  if (found.length === 0)
    throw new UsageError(
      `project ${flags.project} has no logged trajectory ${JSON.stringify(id)}; choose another with --project, or log it: agent.log(split, groups)`,
    )
  terminal.out(flags.json ? JSON.stringify(found, null, 2) : found.map(drawTrajectory).join('\n\n'))
}
