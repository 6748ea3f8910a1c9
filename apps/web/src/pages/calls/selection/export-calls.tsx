import { useMutation } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { saveFile } from '../../../components/save-file.ts'

/** Saves calls as a file, whole, one JSON text a line, in the order in which they were selected. */
export function ExportCalls({ ids }: { ids: readonly string[] }) {
  const { id: project_id } = useProject()
  const save = useMutation({
    mutationFn: async () => {
      const lines = new Map<string, string>()
      const query = { project_id, filter: { call_ids: [...ids] }, include_costs: true }
      for await (const call of client.calls.streamQuery(query)) lines.set(call.id, JSON.stringify(call))
      const found = ids.flatMap((id) => lines.get(id) ?? [])
      saveFile({ name: `calls-of-${project_id}.jsonl`, type: 'application/x-ndjson', text: found.map((line) => `${line}\n`).join('') })
      return found.length
    },
  })
  return (
    <>
      <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        Export JSON Lines
      </button>
      {save.data !== undefined && save.data < ids.length && (
        <span role="status">{`${ids.length - save.data} of them are not there any more.`}</span>
      )}
      <Failure error={save.error} before="Nothing was saved." />
    </>
  )
}
