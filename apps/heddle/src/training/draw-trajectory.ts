import { drawLine, drawMessages } from './draw-messages.ts'
import type { FoundTrajectory } from './find-trajectories.ts'
import { numberText } from './number-text.ts'

/** A logged trajectory for reading: where it is, its reward and metrics, its trace, and its messages; a star marks what the policy sampled. */
export function drawTrajectory({ model, group, trajectory }: FoundTrajectory): string {
  const { metadata, metrics, logs, messages } = trajectory
  return [
    drawLine('Trajectory', `${metadata['trajectory_id'] ?? trajectory.id}`),
    drawLine('Model', `${model.name}, split ${group.split}, step ${group.step}`),
    drawLine('Group', `${metadata['group_id'] ?? group.id}`),
    drawLine('Reward', numberText(trajectory.reward)),
    drawLine('Policy', `step ${trajectory.initial_policy_version ?? '?'} to ${trajectory.final_policy_version ?? '?'}`),
    ...drawTrace(metadata['trace_id']),
    ...Object.entries(metrics).map(([name, value]) => drawLine('Metric', `${name} ${String(value)}`)),
    ...logs.map((text) => drawLine('Log', text)),
    '',
    ...drawMessages(messages),
  ].join('\n')
}

/** The trace that a trajectory belongs to, and how to see it. */
export function drawTrace(traceId: unknown): string[] {
  return typeof traceId === 'string' ? [drawLine('Trace', `${traceId}  (heddle traces show ${traceId})`)] : []
}
