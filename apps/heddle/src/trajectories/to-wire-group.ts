import type { LoggedTrajectoryGroup } from '@heddle/core-api/types'

type LoggedTrajectory = LoggedTrajectoryGroup['trajectories'][number]
type Element = Record<string, unknown>

/**
 * A logged group in the form in which it is logged: logging it again gives the same, but for its id and time. Logs hold no log-probabilities, so its
 * choices have none.
 */
export function toWireGroup({ trajectories, exceptions, metrics, metadata, logs }: LoggedTrajectoryGroup): Element {
  return { trajectories: trajectories.map(toWireTrajectory), exceptions, metrics, metadata, logs }
}

function toWireTrajectory({ id: _id, messages, tools, start_time, ...trajectory }: LoggedTrajectory): Element {
  const [main = [], ...others] = historiesOf(messages)
  const additional = others.map((elements) => ({ messages_and_choices: elements, tools: null }))
  return {
    messages_and_choices: main,
    tools,
    additional_histories: additional,
    ...trajectory,
    ...(start_time !== null && { start_time }),
  }
}

function historiesOf(messages: readonly Element[]): Element[][] {
  const histories: Element[][] = []
  for (const { trainable, history, ...message } of messages) {
    const elements = (histories[Number(history)] ??= [])
    elements.push(trainable === true ? { index: 0, finish_reason: 'stop', message, logprobs: null } : message)
  }
  return [...histories].map((elements) => elements ?? [])
}
