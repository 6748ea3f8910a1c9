import type { ParsedCall } from './parse-call.ts'

/** Text and calls that a piece of an answer adds. */
export interface SplitText {
  text: string
  calls: ParsedCall[]
}
