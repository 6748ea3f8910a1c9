import type { ProgramPlan, ProgramResults } from './program-plan.ts'

type OutageWork = Extract<ProgramPlan['work'], { kind: 'outage' }>

interface Subject {
  endSpan: () => void
  flush(): Promise<void>
}

const tickMs = 50

/** Ends spans at a steady rate before, while and after the server is away, then flushes until nothing more can be saved. */
export async function outlastOutage(work: OutageWork, { endSpan, flush }: Subject): Promise<ProgramResults['outage']> {
  const seconds = work.secondsBefore + work.secondsOfOutage + work.secondsAfter
  const begin = performance.now()
  let ended = 0
  while (performance.now() - begin < seconds * 1000) {
    for (const due = ((performance.now() - begin) / 1000) * work.spansPerSecond; ended < due; ended++) endSpan()
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  await flush().catch(() => undefined)
  return { ended, peakBytes: process.resourceUsage().maxRSS * 1024 }
}
