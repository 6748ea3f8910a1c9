import { roundNumbers } from '../../lib/round-numbers.ts'

/** What programs recorded in a trajectory: shown as it was sent. */
interface RecordedValues {
  messages: unknown
  tools: unknown
  metadata: unknown
}

/** A trajectory that was read with exact numbers: displayed values keep them; rewards, metrics and versions become JavaScript numbers. */
export function countedInNumbers<T extends RecordedValues>({ messages, tools, metadata, ...counted }: T): T {
  return { ...roundNumbers(counted), messages, tools, metadata } as T
}
