import type { Micros } from '../../micros.ts'

/** A trace of which calls were written, with the first and last start of these calls. */
export interface TouchedTrace {
  project_id: string
  trace_id: string
  from: Micros
  until: Micros
}
