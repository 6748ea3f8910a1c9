import type { Operation, OutputOf, RequestOf, Resource } from '../operation.ts'

/** Options of a single call of an operation. */
export interface CallOptions {
  /** Ends the request, or the stream, when it fires; the promise rejects with its reason. */
  signal?: AbortSignal
  /** Milliseconds to wait for a response, and between two chunks of a stream. Overrides that of the client. */
  timeoutMs?: number
}

type Arguments<Request> = object extends Request ? [input?: Request, options?: CallOptions] : [input: Request, options?: CallOptions]

type ResponseOf<O extends Operation> = O extends { stream: 'jsonl' } ? AsyncIterable<OutputOf<O>> : Promise<OutputOf<O>>

/** One function per operation. A streamed one sends nothing before it is iterated; leaving the loop ends the request. */
export type ClientOf<Contract extends Readonly<Record<string, Resource>>> = {
  readonly [R in keyof Contract]: {
    readonly [K in keyof Contract[R]]: (...args: Arguments<RequestOf<Contract[R][K]>>) => ResponseOf<Contract[R][K]>
  }
}
