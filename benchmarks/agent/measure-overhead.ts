import { createAgentTracing, type Trajectory } from '@heddle/agent-instrumentation'
import { percentiles, round } from '../report/percentiles.ts'
import type { ModelCall } from './model-calls.ts'

export interface Overhead {
  name: string
  /** Microseconds of CPU of a call that is not recorded: the request, and the response with its JSON. */
  plainUs: number
  recordedUs: number
  /** Of what recording adds, over the rounds. */
  addedUs: { p50: number; p95: number }
}

const url = 'http://models.invalid/v1/chat/completions'
/** A trajectory of this many calls is long; the next calls go to a new one. */
const callsOfTrajectory = 40

/** What recording adds to a call in CPU time, which other programs do not lengthen, as the mean of a round each: rounds of plain and of recorded calls alternate. */
export async function measureOverhead(
  call: ModelCall,
  { rounds, callsOfRound }: { rounds: number; callsOfRound: number },
): Promise<Overhead> {
  const agent = createAgentTracing({ environment: {}, fetch: call.endpoint })
  const plain: number[] = []
  const recorded: number[] = []
  for (let round = -1; round < rounds; round++) {
    const plainUs = await timeCalls(call, callsOfRound, () => ({ fetch: call.endpoint, end: async () => undefined }))
    const recordedUs = await timeCalls(call, callsOfRound, () => {
      const trajectory = agent.group({ attempts: 1 }).start()
      return { fetch: trajectory.fetch, end: () => endTrajectory(trajectory) }
    })
    // The first round warms up.
    if (round < 0) continue
    plain.push(plainUs)
    recorded.push(recordedUs)
  }
  const added = percentiles(recorded.map((us, place) => us - (plain[place] ?? 0)))
  return {
    name: call.name,
    plainUs: round(percentiles(plain).p50),
    recordedUs: round(percentiles(recorded).p50),
    addedUs: { p50: added.p50, p95: added.p95 },
  }
}

interface Attempt {
  fetch: typeof fetch
  end: () => Promise<void>
}

async function timeCalls(call: ModelCall, count: number, begin: () => Attempt): Promise<number> {
  let usedUs = 0
  for (let done = 0; done < count; done += callsOfTrajectory) {
    const attempt = begin()
    for (let turn = 0; turn < callsOfTrajectory; turn++) {
      const body = call.toBody(turn)
      const before = process.cpuUsage()
      const response = await attempt.fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      if (call.isStream) await drain(response)
      else await response.json()
      const { user, system } = process.cpuUsage(before)
      usedUs += user + system
    }
    await attempt.end()
  }
  return usedUs / (Math.ceil(count / callsOfTrajectory) * callsOfTrajectory)
}

async function drain({ body }: Response): Promise<void> {
  if (body) for await (const chunk of body) if (chunk.length === 0) throw new Error('an empty chunk')
}

async function endTrajectory(trajectory: Trajectory): Promise<void> {
  trajectory.reward(1)
  await trajectory.finish()
}
