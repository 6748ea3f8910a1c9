import type { Context } from '@heddle/identity'
import type { Flow } from '@heddle/service-kit'

/** A handler's view of a request besides its input. */
export interface TracingContext extends Context {
  /** Address of the caller; `''` where it is not known. */
  readonly address: string
  /** Flow of the request in fair queueing. */
  readonly flow: Flow
}
