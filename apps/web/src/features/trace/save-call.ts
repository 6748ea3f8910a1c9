import type { Call } from '@heddle/core-api/types'
import { saveFile } from '../../lib/save-file.ts'
import { toText } from '../../lib/texts/to-text.ts'

/** Saves a call as a file. */
export const saveCall = (call: Call) => saveFile({ name: `call-${call.id}.json`, type: 'application/json', text: toText(call) })
