import { drawLine, drawMessages } from './draw-messages.ts'
import { drawTrace } from './draw-trajectory.ts'
import type { RecordedMatch } from './find-recorded-trajectories.ts'
import { numberText } from './number-text.ts'

type Contents = NonNullable<RecordedMatch['trajectory']>

const notYet = {
  open: 'it is open: its messages are shown once it has finished',
  failed: 'it failed: its messages are not shown',
  finished: 'its messages are no longer there',
}

/** A trajectory that the server recorded, for reading; a star marks what the policy sampled. */
export function drawRecordedTrajectory({ model, recorded, trajectory }: RecordedMatch): string {
  const { id, status, group_id, calls, reward, error, trace_id } = recorded
  return [
    drawLine('Trajectory', id),
    drawLine('Model', model.name),
    drawLine('Recorded', `${status}, ${calls} ${calls === 1 ? 'call' : 'calls'}`),
    drawLine('Group', group_id),
    ...(reward === null ? [] : [drawLine('Reward', numberText(reward))]),
    ...(error === null ? [] : [drawLine('Error', error)]),
    ...drawTrace(trace_id),
    ...(trajectory ? drawContents(trajectory) : ['', notYet[status]]),
  ].join('\n')
}

function drawContents({ metrics, logs, messages_and_choices: main, additional_histories: others, ...versions }: Contents): string[] {
  const { initial_policy_version: first, final_policy_version: last } = versions
  return [
    drawLine('Policy', `step ${first ?? '?'} to ${last ?? '?'}`),
    ...Object.entries(metrics).map(([name, value]) => drawLine('Metric', `${name} ${String(value)}`)),
    ...logs.map((text) => drawLine('Log', text)),
    '',
    ...drawMessages([main, ...others.map(({ messages_and_choices: more }) => more)].flatMap(toMessages)),
  ]
}

function toMessages(elements: Contents['messages_and_choices'], history: number): Record<string, unknown>[] {
  return elements.map((element) => {
    const { message } = element
    return typeof message === 'object' ? { ...message, trainable: true, history } : { ...element, history }
  })
}
