import type { SettledTrace } from './settle-trace.ts'

/**
 * Groups the calls of a trace that report one request, in the order of their first ones: the call that counts first, then those that repeat it, in
 * the given order. A call without repetitions is a group by itself.
 */
export function reportsOfRequests<T extends { id: string }>(
  calls: readonly T[],
  settled: Pick<SettledTrace, 'marks'> | undefined,
): [T, ...T[]][] {
  const requests = new Map<string, [T, ...T[]]>()
  for (const call of calls) {
    const counting = countingReport(call.id, settled)
    const reports = requests.get(counting)
    if (reports === undefined) requests.set(counting, [call])
    else if (call.id === counting) reports.unshift(call)
    else reports.push(call)
  }
  return [...requests.values()]
}

/** Repetitions lead to a call that counts: they never lead back. */
function countingReport(id: string, settled: Pick<SettledTrace, 'marks'> | undefined): string {
  let counting = id
  for (;;) {
    const repeats = settled?.marks.get(counting)?.repeats ?? null
    if (repeats === null) return counting
    counting = repeats
  }
}
