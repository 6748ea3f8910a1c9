import type { ProgramPlan, ProgramResults } from './program-plan.ts'

type StallWork = Extract<ProgramPlan['work'], { kind: 'stalls' }>

const warmUpSeconds = 2

/** Ends spans at a steady rate and watches how long the program's thread has no turn for anything else. */
export function measureStalls({ seconds, spansPerSecond }: StallWork, endSpan: () => void): Promise<ProgramResults['stalls']> {
  const longestMs: number[] = new Array<number>(seconds + warmUpSeconds).fill(0)
  const begin = performance.now()
  let last = begin
  let ended = 0
  return new Promise((resolve) => {
    function turn(): void {
      const now = performance.now()
      // A stall belongs to every second that it touches.
      for (let second = Math.floor((last - begin) / 1000); second <= (now - begin) / 1000 && second < longestMs.length; second++)
        longestMs[second] = Math.max(longestMs[second] ?? 0, now - last)
      if (now - begin >= longestMs.length * 1000) return resolve({ longestMs: longestMs.slice(warmUpSeconds), spans: ended })
      last = now
      for (const due = ((now - begin) / 1000) * spansPerSecond; ended < due; ended++) endSpan()
      setImmediate(turn)
    }
    turn()
  })
}
