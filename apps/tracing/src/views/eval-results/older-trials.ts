import { inParts } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { asyncOnce } from '@heddle/service-kit'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import type { EvalResultsStore } from './eval-results-store.ts'

/** Adds the columns that older versions did not write to the trials of evaluations. Progress is kept, whatever the outcome of the request. */
export type RefreshOlderTrials = (project: ProjectScope, evaluations: readonly string[]) => Promise<void>

interface OlderTrialsOptions {
  store: Pick<EvalResultsStore, 'mayHaveOlder' | 'olderTrials'>
  writer: Pick<CallsWriter, 'write'>
}

/** Calls that are written together. */
const callsAtOnce = 500

/** This version writes no such trials, so it looks for them in all projects once. */
export function createRefreshOlderTrials({ store, writer }: OlderTrialsOptions): RefreshOlderTrials {
  const mayHaveOlder = asyncOnce(() => store.mayHaveOlder())
  return async (project, evaluations) => {
    if (!(await mayHaveOlder())) return
    const ids: string[] = []
    for await (const block of store.olderTrials(project, evaluations)) for (const id of block) ids.push(id)
    for (const some of inParts(ids, callsAtOnce)) {
      const changes = some.map((id) => ({ kind: 'refresh' as const, id }))
      await writer.write([{ project, changes }])
    }
  }
}
