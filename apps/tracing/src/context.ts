import type { Context } from '@heddle/identity'

/** What a handler of this service knows of a request besides its input. */
export interface TracingContext extends Context {
  /** Address of the caller; `''` where it is not known. */
  readonly address: string
}
