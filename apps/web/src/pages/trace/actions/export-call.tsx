import type { Call } from '@heddle/core-api'
import { saveFile } from '../../../components/save-file.ts'
import { toText } from '../../../components/to-text.ts'

/** Saves a call as a file. */
export function ExportCall({ call }: { call: Call }) {
  return (
    <button type="button" onClick={() => saveFile({ name: `call-${call.id}.json`, type: 'application/json', text: toText(call) })}>
      Export JSON
    </button>
  )
}
