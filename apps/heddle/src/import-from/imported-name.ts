import { toObjectName } from '@heddle/core-api/internal'
import { toSpanId } from './foreign-ids.ts'

/** The name of an object for something that another product names; where no character of it can stay, the kind with a hash of it. */
export function importedName(kind: 'score' | 'dataset' | 'prompt' | 'run', name: string): string {
  return toObjectName(name) || `${kind}-${toSpanId(name)}`
}
