import { readFileSync } from 'node:fs'
import type { ProgramPlan, ProgramResults } from './program-plan.ts'

type CpuWork = Extract<ProgramPlan['work'], { kind: 'cpu' }>

interface Subject {
  endSpan: () => void
  flush(): Promise<void>
}

/** Rounds of spans, each sent to the last before the next begins, so that no queue overflows. */
export async function measureCpu(work: CpuWork, subject: Subject): Promise<ProgramResults['cpu']> {
  const { warmUpRounds, rounds, spansOfRound } = work
  for (let round = 0; round < warmUpRounds; round++) await runRound(subject, spansOfRound)
  const threadBefore = threadMicros()
  const results: { call: number; process: number }[] = []
  for (let round = 0; round < rounds; round++) results.push(await runRound(subject, spansOfRound))
  return {
    callMicros: results.map(({ call }) => call / spansOfRound),
    processMicros: results.map((result) => result.process / spansOfRound),
    threadMicros: (threadMicros() - threadBefore) / (rounds * spansOfRound),
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }
}

async function runRound({ endSpan, flush }: Subject, spans: number): Promise<{ call: number; process: number }> {
  const usage = process.cpuUsage()
  const begin = performance.now()
  for (let span = 0; span < spans; span++) endSpan()
  const call = (performance.now() - begin) * 1000
  await flush()
  const { user, system } = process.cpuUsage(usage)
  return { call, process: user + system }
}

/** CPU time of this thread so far; 0 where the system does not tell. */
function threadMicros(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return 0
  }
}
