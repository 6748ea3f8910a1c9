import { createAgentTracing, type Trajectory } from '@heddle/agent-instrumentation'
import { percentiles, round } from '../report/percentiles.ts'
import type { ModelCall } from './model-calls.ts'

export interface Overhead {
  name: string
  /** Microseconds of CPU of a call that is not recorded: the request, and the response with its JSON. */
  plainUs: number
  recordedUs: number
  /** Of what recording adds before the program has its response, over the rounds: what the call takes longer. */
  addedUs: { p50: number; p95: number }
  /** Of what recording does after that on the same thread, in a later tick of the event loop or at the end of the trajectory. */
  laterUs: { p50: number; p95: number }
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
  const plain: Times[] = []
  const recorded: Times[] = []
  for (let round = -1; round < rounds; round++) {
    const without = await timeCalls(call, callsOfRound, () => ({ fetch: call.endpoint, end: async () => undefined }))
    const withRecording = await timeCalls(call, callsOfRound, () => {
      const trajectory = agent.group({ attempts: 1 }).start()
      return { fetch: trajectory.fetch, end: () => endTrajectory(trajectory) }
    })
    // The first round warms up.
    if (round < 0) continue
    plain.push(without)
    recorded.push(withRecording)
  }
  return {
    name: call.name,
    plainUs: round(percentiles(plain.map(({ inCallUs }) => inCallUs)).p50),
    recordedUs: round(percentiles(recorded.map(({ inCallUs }) => inCallUs)).p50),
    addedUs: difference(recorded, plain, 'inCallUs'),
    laterUs: difference(recorded, plain, 'laterUs'),
  }
}

function difference(recorded: readonly Times[], plain: readonly Times[], of: keyof Times): { p50: number; p95: number } {
  const { p50, p95 } = percentiles(recorded.map((times, place) => times[of] - (plain[place]?.[of] ?? 0)))
  return { p50, p95 }
}

/** Microseconds of CPU of a call: until the program has its response, and after that. */
interface Times {
  inCallUs: number
  laterUs: number
}

interface Attempt {
  fetch: typeof fetch
  end: () => Promise<void>
}

async function timeCalls(call: ModelCall, count: number, begin: () => Attempt): Promise<Times> {
  let inCallUs = 0
  let laterUs = 0
  for (let done = 0; done < count; done += callsOfTrajectory) {
    const attempt = begin()
    for (let turn = 0; turn < callsOfTrajectory; turn++) {
      const body = call.toBody(turn)
      inCallUs += await timeCpu(async () => {
        const response = await attempt.fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        if (call.isStream) await drain(response)
        else await response.json()
      })
      laterUs += await timeCpu(nextTick)
    }
    laterUs += await timeCpu(attempt.end)
  }
  const calls = Math.ceil(count / callsOfTrajectory) * callsOfTrajectory
  return { inCallUs: inCallUs / calls, laterUs: laterUs / calls }
}

async function timeCpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** What was put off to a later tick of the event loop has run when this resolves. */
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))

async function drain({ body }: Response): Promise<void> {
  if (body) for await (const chunk of body) if (chunk.length === 0) throw new Error('an empty chunk')
}

async function endTrajectory(trajectory: Trajectory): Promise<void> {
  trajectory.reward(1)
  await trajectory.finish()
}
