import { hidePrivateRefs } from '../../../payload/rewrite-refs.ts'
import { payloadColumns, type CallColumns } from '../calls-store.ts'
import { callNamesOtherProject } from './call-names-other-project.ts'

interface Reader {
  /** Project of the calls. */
  projectId: string
  /** True for another project that the reader may read. */
  maySee: (projectId: string) => Promise<boolean>
}

/** Payloads of calls as a reader may see them: references into projects that it may not read hide the project. */
export function presentCalls({ projectId, maySee }: Reader): (calls: CallColumns[]) => Promise<CallColumns[]> {
  const hide = (text: string | null) => (text === null ? null : hidePrivateRefs(text, projectId, maySee))
  const presentCall = async (call: CallColumns) => ({ ...call, ...(await mapPayloads(call, hide)) })
  return (calls) => Promise.all(calls.map((call) => (callNamesOtherProject(call) ? presentCall(call) : call)))
}

async function mapPayloads(
  call: CallColumns,
  change: (text: string | null) => Promise<string | null> | null,
): Promise<Partial<CallColumns>> {
  const changed = await Promise.all(payloadColumns.map(async (name) => [name, await change(call[name])] as const))
  return Object.fromEntries(changed)
}
