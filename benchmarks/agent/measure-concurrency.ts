import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAgentTracing, type RecordedGroup } from '@heddle/agent-instrumentation'
import type { ModelCall } from './model-calls.ts'

export interface Concurrency {
  trajectories: number
  turns: number
  /** Of all calls together. */
  callsPerSecond: number
  /** Choices in the trajectories that recorded them: all that were sampled, when nothing is lost. */
  recordedChoices: number
  /** Bytes of the heap for one trajectory with all its turns, once all have ended. */
  heapOfTrajectory: number
  /** Bytes of one trajectory as it travels. */
  jsonOfTrajectory: number
  /** Bytes of the heap above what there was before, once the trajectories are dropped. */
  heapLeft: number
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Runs attempts at once, each a conversation, and measures what they hold. */
export async function measureConcurrency(call: ModelCall, sizes: { trajectories: number; turns: number }): Promise<Concurrency> {
  await runAttempts(call, { ...sizes, trajectories: 10 })
  const before = heapUsed()
  const measured = await runAttempts(call, sizes)
  // A function that has returned may hold what it held until the next one runs.
  await new Promise((resolve) => setImmediate(resolve))
  const { heapWhileHeld, ...rest } = measured
  const heapOfTrajectory = Math.round((heapWhileHeld - before) / sizes.trajectories)
  return { ...sizes, ...rest, heapOfTrajectory, heapLeft: Math.max(0, heapUsed() - before) }
}

/** The trajectories are dropped at its end. */
async function runAttempts(call: ModelCall, { trajectories, turns }: { trajectories: number; turns: number }) {
  const agent = createAgentTracing({ environment: {}, fetch: call.endpoint })
  const startedMs = performance.now()
  const group = await agent.group({ attempts: trajectories }).run(async (trajectory) => {
    for (let turn = 0; turn < turns; turn++) {
      const response = await agent.fetch('http://models.invalid/v1/chat/completions', { method: 'POST', body: call.toBody(turn) })
      await response.json()
    }
    trajectory.reward(trajectory.attemptIndex)
  })
  const callsPerSecond = Math.round((trajectories * turns * 1000) / (performance.now() - startedMs))
  return {
    callsPerSecond,
    recordedChoices: countChoices(group),
    jsonOfTrajectory: JSON.stringify(group.trajectories[0]).length,
    heapWhileHeld: heapUsed(),
  }
}

function countChoices({ trajectories }: RecordedGroup): number {
  return trajectories
    .flatMap((one) => [one, ...one.additional_histories])
    .flatMap(({ messages_and_choices: all }) => all.filter((element) => 'message' in element)).length
}
