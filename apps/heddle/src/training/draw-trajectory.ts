import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import type { FoundTrajectory } from './find-trajectories.ts'
import { numberText } from './number-text.ts'

const maxTextLength = 2_000

/** A logged trajectory for reading: where it is, its reward and metrics, its trace, and its messages; a star marks what the policy sampled. */
export function drawTrajectory({ model, group, trajectory }: FoundTrajectory): string {
  const { metadata, metrics, logs, messages } = trajectory
  return [
    line('Trajectory', `${metadata['trajectory_id'] ?? trajectory.id}`),
    line('Model', `${model.name}, split ${group.split}, step ${group.step}`),
    line('Group', `${metadata['group_id'] ?? group.id}`),
    line('Reward', numberText(trajectory.reward)),
    line('Policy', `step ${trajectory.initial_policy_version ?? '?'} to ${trajectory.final_policy_version ?? '?'}`),
    ...(typeof metadata['trace_id'] === 'string'
      ? [line('Trace', `${metadata['trace_id']}  (heddle traces show ${metadata['trace_id']})`)]
      : []),
    ...Object.entries(metrics).map(([name, value]) => line('Metric', `${name} ${String(value)}`)),
    ...logs.map((text) => line('Log', text)),
    '',
    ...messages.flatMap((message, at) => [...between(messages[at - 1], message), drawMessage(message)]),
  ].join('\n')
}

function line(name: string, text: string): string {
  return `${name.padEnd(12)}${shorten(toTerminalText(text), maxTextLength)}`
}

type Message = Record<string, unknown>

/** Histories after the first begin with their number. */
function between(before: Message | undefined, { history }: Message): string[] {
  return before && before['history'] !== history ? ['', `history ${String(history)}`] : []
}

function drawMessage({ role, content, tool_calls: calls, trainable }: Message): string {
  const called = Array.isArray(calls) && calls.length > 0 ? ` ${JSON.stringify(calls)}` : ''
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '')
  return `${trainable === true ? '*' : ' '} ${line(String(role), text + called)}`
}
