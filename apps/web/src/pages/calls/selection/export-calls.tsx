import type { Call } from '@heddle/core-api'
import { useMutation } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { otlpOfCalls } from './otlp-of-calls.ts'

/** Saves calls as a file, in the order in which they were selected: whole, one JSON text a line, or the spans that they were. */
export function ExportCalls({ ids }: { ids: readonly string[] }) {
  return (
    <>
      <ExportButton ids={ids} title="Export JSON Lines" save={saveLines} />
      <ExportButton ids={ids} title="Export OTLP JSON" save={saveSpans} />
    </>
  )
}

interface Properties {
  ids: readonly string[]
  title: string
  /** Saves a file, and returns how many of the calls it leaves out, being no spans. */
  save: (project: string, calls: readonly Call[]) => number
}

function ExportButton({ ids, title, save }: Properties) {
  const { id: project_id } = useProject()
  const run = useMutation({
    mutationFn: async () => {
      const found = new Map<string, Call>()
      const query = { project_id, filter: { call_ids: [...ids] }, include_costs: true }
      for await (const call of client.calls.streamQuery(query)) found.set(call.id, call)
      const calls = ids.flatMap((id) => found.get(id) ?? [])
      return { gone: ids.length - calls.length, leftOut: save(project_id, calls) }
    },
  })
  const { gone = 0, leftOut = 0 } = run.data ?? {}
  return (
    <>
      <button type="button" disabled={run.isPending} onClick={() => run.mutate()}>
        {title}
      </button>
      {gone > 0 && <span role="status">{`${gone} of them are not there any more.`}</span>}
      {leftOut > 0 && (
        <span role="status">{`${leftOut} of them ${leftOut === 1 ? 'was not a span and is' : 'were not spans and are'} left out.`}</span>
      )}
      <Failure error={run.error} before="Nothing was saved." />
    </>
  )
}

function saveLines(project: string, calls: readonly Call[]): number {
  const text = calls.map((call) => `${JSON.stringify(call)}\n`).join('')
  saveFile({ name: `calls-of-${project}.jsonl`, type: 'application/x-ndjson', text })
  return 0
}

/** Without any span there is nothing to save. */
function saveSpans(project: string, calls: readonly Call[]): number {
  const { request, leftOut } = otlpOfCalls(calls)
  if (leftOut < calls.length) saveFile({ name: `spans-of-${project}.json`, type: 'application/json', text: JSON.stringify(request) })
  return leftOut
}
