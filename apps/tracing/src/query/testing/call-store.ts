import {
  callsTable,
  feedbackTable,
  objectValuesTable,
  rowEncoder,
  type Analytical,
  type CallRow,
  type ObjectValueRow,
} from '@heddle/datastore'
import { unknownIndex } from '../build-index.ts'
import { compileCallsQuery, type CallKey, type CallsQueryInput, type ProbeRow, type StatementInput } from '../calls-query.ts'
import { aCallRow, type TestCall } from './call-row.ts'
import { aFeedbackRow, type TestFeedback } from './feedback-row.ts'

export async function insertCalls(analytical: Analytical, calls: readonly TestCall[]): Promise<void> {
  const encoder = rowEncoder(callsTable)
  for (const call of calls) encoder.add(aCallRow(call) as CallRow)
  await analytical.insert(callsTable, encoder.finish())
}

/** Stores feedback that was given in this order. */
export async function insertFeedback(analytical: Analytical, feedback: readonly TestFeedback[]): Promise<void> {
  const encoder = rowEncoder(feedbackTable)
  feedback.forEach((given, index) => encoder.add(aFeedbackRow(given, index)))
  await analytical.insert(feedbackTable, encoder.finish())
}

export async function insertObjectValue(analytical: Analytical, row: Pick<ObjectValueRow, 'project_id' | 'digest' | 'val'>): Promise<void> {
  const encoder = rowEncoder(objectValuesTable)
  encoder.add({ ...row, ...unknownIndex, version: 1n })
  await analytical.insert(objectValuesTable, encoder.finish())
}

export type TestQuery = Omit<CallsQueryInput, 'project_id'> & Omit<StatementInput, 'now' | 'probed'> & { project_id?: string }

/** Runs a query as a handler does: ask for unindexed paths, then for keys. `probes: false` leaves the first step out. */
export async function findIds(
  analytical: Analytical,
  query: TestQuery,
  options: { probes: boolean } = { probes: true },
): Promise<string[]> {
  const { started, deletedVersions, tables, queueCalls, ...input } = query
  const compiled = compileCallsQuery({ project_id: 'e/p', ...input })
  const probe = options.probes ? compiled.probe(started) : undefined
  const [probed] = probe ? await analytical.rows<ProbeRow>(probe) : []
  const rows = await analytical.rows<CallKey>(
    compiled.keys({ now: 1_800_000_000_000_000, started, deletedVersions, tables, queueCalls, probed }),
  )
  return rows.map(({ id }) => id)
}
