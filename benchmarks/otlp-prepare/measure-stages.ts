import { stageNames, type StageName, type Stages } from './stages.ts'

/** CPU time of each stage in microseconds a span, one figure a round. */
export type StageTimes = Record<StageName, number[]>

export interface MeasureOptions {
  rounds: number
  warmUpRounds: number
  /** Spans that each stage handles in one run. */
  spans: number
}

/** Runs the stages of all candidates alternately, so that other load of the machine affects all of them. */
export function measureStages(candidates: readonly Stages[], { rounds, warmUpRounds, spans }: MeasureOptions): StageTimes[] {
  const times = candidates.map((): StageTimes => ({ decode: [], map: [], prepare: [] }))
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [index, stages] of candidates.entries()) {
      for (const name of stageNames) {
        const micros = cpuMicros(stages[name]) / spans
        if (round >= 0) times[index]?.[name].push(micros)
      }
    }
  }
  return times
}

/** CPU time of all threads of the process, the collector's included. */
function cpuMicros(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
