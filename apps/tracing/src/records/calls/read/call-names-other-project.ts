import { namesOtherProject } from '../../../payload/rewrite-refs.ts'
import { payloadColumns, type CallColumns } from '../calls-store.ts'

/** True where a reference in a call leads to another project: whether its reader sees it depends on the reader. */
export function callNamesOtherProject(call: CallColumns): boolean {
  return payloadColumns.some((name) => {
    const text = call[name]
    return text !== null && namesOtherProject(text, call.project_id)
  })
}
