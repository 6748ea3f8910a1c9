import type { z } from 'zod'

/** What an operation does to stored data. Consumers derive from it which role may call it, whether a retry is safe, and what to confirm. */
export type Effect = 'read' | 'write' | 'destroy'

/**
 * One operation of a service, as plain data. Path parameters, query, headers and body reach a handler, and leave from the client, as one flat input.
 * At most one of `body`, `multipart` and `bytes` is given.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with parameters in braces, for example `/objs/{object_id}/aliases`. */
  path: string
  /** Further paths with the same handling, for clients that know the operation under another name. Not part of OpenAPI. */
  aliases?: readonly string[]
  /** One line in the imperative, shown in the reference page and in tool lists. */
  summary: string
  /** Details beyond the summary: side effects, order, limits. */
  description?: string
  effect: Effect
  /**
   * Whether a write is idempotent. Absent: it is. `idAt`: it is when the caller gives an id at that path of the input (`*` steps through a list,
   * and a path that is absent needs no id).
   */
  repeat?: { idAt: readonly string[] } | 'adds'
  /** Whether requests are recorded in the project's audit log. Absent: only those that destroy. `always`: also in a project without any data. */
  audit?: boolean | 'always'
  /**
   * How a request affects disk usage. Absent: writes add, all others do not. An operation that adds is refused while the disk is full, and the body
   * of a write counts towards the bytes of its project.
   */
  storage?: 'adds' | 'frees' | 'neutral'
  /** False for an operation that answers also where the limits of its project are reached. */
  rateLimited?: false
  /** How many times the limits of a body, in bytes and in values, its body may take. Absent: 1. */
  bodyFactor?: number
  /** True where texts of the body keep lone surrogates, since digests are taken over them as sent. */
  keepsSurrogates?: true
  /** True for an operation that only old clients call, or clients of another API that describes it. Not part of OpenAPI. */
  hidden?: true
  /** True for the few operations that need no credential. Their bodies have at most 64 KiB. */
  open?: true
  /** Path parameters. Every name in `path` has an entry. */
  params?: z.ZodObject
  /** Query parameters. */
  query?: z.ZodObject
  /** Request headers that the operation reads, by lower-case name. */
  headers?: z.ZodObject
  /** JSON body. */
  body?: z.ZodObject
  /** Text fields of a `multipart/form-data` body; its parts with bytes arrive as `files`. */
  multipart?: z.ZodObject
  /** Parts with bytes that a multipart body must have: name of the form field, and what it holds. */
  parts?: Readonly<Record<string, string>>
  /** Media types of a body that the operation decodes itself; it arrives as `bytes` with its `content_type`. */
  bytes?: readonly string[]
  /** True for a body that may be large: it is written to disk while it arrives, and reaches the handler as `content`, unread. */
  staged?: true
  /** True for a handler that waits for more than the stores, and bounds how many of its requests run at a time. */
  waits?: true
  /** JSON response, or one line of it where `stream` is set. `'bytes'`: the response is a `BytesAnswer`. */
  output: z.ZodType | 'bytes'
  /** The response is a stream of JSON lines. */
  stream?: 'jsonl'
  /** For a request with `stream`, the response is server-sent events of this shape. The typed client does not read them. */
  events?: z.ZodType
}

export type Resource = Readonly<Record<string, Operation>>

const descriptionOfResource = Symbol('description')

/**
 * Declares the operations of one resource, with a line about it. The value has the operations as its only keys; the call fixes its type.
 * @example
 * const notes = defineResource('Notes of a user', {
 *   create: { method: 'POST', path: '/note/create', effect: 'write', summary: 'Write a note', output: z.object({ id: z.string() }) },
 * })
 * notes.create.path // '/note/create'
 */
export function defineResource<const R extends Resource>(description: string, resource: R): R {
  return { ...resource, [descriptionOfResource]: description }
}

/** The line about a resource that `defineResource` made, also where it was spread into another one; undefined for any other. */
export function describeResource(resource: Resource): string | undefined {
  return (resource as { [descriptionOfResource]?: string })[descriptionOfResource]
}

/** Whether a request of the operation stores more than there was. */
export function addsStorage({ effect, storage }: Pick<Operation, 'effect' | 'storage'>): boolean {
  return storage === undefined ? effect === 'write' : storage === 'adds'
}

/** Whether requests of the operation leave an entry in the audit log. */
export function isAudited({ effect, audit }: Pick<Operation, 'effect' | 'audit'>): boolean {
  return audit === undefined ? effect === 'destroy' : audit !== false
}

/** A file part of a multipart body. */
export interface FilePart {
  /** Name of the form field. */
  field: string
  /** Name of the file as sent; undefined when absent. */
  filename: string | undefined
  content_type: string | undefined
  bytes: Uint8Array
}

/** A staged upload: its bytes are deleted at the end of the request unless they were kept. */
export interface StagedBytes {
  /** SHA-256 in lower-case hexadecimal. */
  readonly digest: string
  readonly sizeBytes: number
  /** Keeps the bytes: durable and readable when it resolves. */
  keep(): Promise<void>
}

/** A body on disk. */
export interface StagedBody extends StagedBytes {
  /** The bytes from the beginning, any number of times until they are kept. Leaving the iteration closes the file. */
  read(): AsyncIterable<Uint8Array>
}

/** A file part as it reaches a handler: its bytes are not in memory. */
export interface ReceivedPart extends Omit<FilePart, 'bytes'> {
  content: StagedBody
}

/** A response that is not JSON. */
export interface BytesAnswer {
  content_type: string
  bytes: Uint8Array
}

/** A streamed response that is not JSON. */
export interface BytesStream {
  content_type: string
  content: AsyncIterable<Uint8Array>
  /** Called once if the content is not read to its end. */
  cancel(): void
  /** Bytes that `content` yields. */
  sizeBytes: number
  /** 206 for a partial response. */
  status: 200 | 206
  /** Further response headers. */
  headers: Readonly<Record<string, string>>
}

/** A JSON response with its own status or headers. */
export class HttpAnswer<T = unknown> {
  readonly value: T | JsonText<T>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    value: T | JsonText<T>,
    { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.value = value
    this.status = status
    this.headers = headers
  }
}

/**
 * A response of server-sent events, each the JSON of a value. `[DONE]` follows the last one, except where events are `named`: each then has its
 * `type` as its name, and clients know the last one by it.
 */
export class EventsAnswer<T = unknown> {
  readonly events: AsyncIterable<T>
  readonly headers: Readonly<Record<string, string>>
  readonly named: boolean

  constructor(
    events: AsyncIterable<T>,
    { headers = {}, named = false }: { headers?: Readonly<Record<string, string>>; named?: boolean } = {},
  ) {
    this.events = events
    this.headers = headers
    this.named = named
  }
}

/** A value that is already JSON text. It is sent as it is, so numbers keep the form in which they were stored. */
export class JsonText<T = unknown> {
  /** Marks the type of the value; never set. */
  declare readonly value?: T
  /** The text as it was given: as text, or as its bytes in UTF-8. */
  readonly source: string | Uint8Array

  constructor(source: string | Uint8Array) {
    this.source = source
  }

  get json(): string {
    return typeof this.source === 'string' ? this.source : decoder.decode(this.source)
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A value as pieces of its JSON text or of the bytes of it in UTF-8, which are sent one after the other: a text of many MiB is never made as a whole. */
export class JsonPieces<T = unknown> {
  /** Marks the type of the value; never set. */
  declare readonly value?: T
  readonly pieces: Iterable<string | Uint8Array>

  constructor(pieces: Iterable<string | Uint8Array>) {
    this.pieces = pieces
  }
}

type Part<T> = T extends z.ZodType ? z.output<T> : unknown
type SentPart<T> = T extends z.ZodType ? z.input<T> : unknown
type Flat<T> = { [K in keyof T]: T[K] }

type RawParts<O extends Operation, File, Bytes> = (O extends { multipart: z.ZodObject } ? { files: File[] } : unknown) &
  (O extends { bytes: readonly string[] } ? { bytes: Bytes; content_type: string | undefined } : unknown)

type ReceivedBody<O extends Operation> = O extends { staged: true }
  ? { content: StagedBody }
  : Part<O['body']> & Part<O['multipart']> & RawParts<O, ReceivedPart, Uint8Array>

/** The input of a handler: parsed, with defaults filled in. */
export type InputOf<O extends Operation> = Flat<Part<O['params']> & Part<O['query']> & Part<O['headers']> & ReceivedBody<O>>

/** The input of a caller of the client. A `Blob`, for example from `openAsBlob`, is read from its file while it is sent. */
export type RequestOf<O extends Operation> = Flat<
  SentPart<O['params']> &
    SentPart<O['query']> &
    SentPart<O['headers']> &
    SentPart<O['body']> &
    SentPart<O['multipart']> &
    RawParts<O, FilePart, Uint8Array | Blob>
>

/** A response, or one line of a streamed response. */
export type OutputOf<O extends Operation> = O['output'] extends z.ZodType ? z.output<O['output']> : BytesAnswer

/** The return value of a handler: the value, or its JSON text, also in pieces; for bytes, also a stream of them. */
export type Answer<T> = T | JsonText<T> | JsonPieces<T> | HttpAnswer<T> | (T extends BytesAnswer ? BytesStream : never)

type EventsOf<O extends Operation> = O extends { events: z.ZodType } ? EventsAnswer : never

/** The functions that a service must provide for a resource. A missing or misnamed one does not compile. */
export type Handlers<R extends Resource, Context> = {
  [K in keyof R]: (
    input: InputOf<R[K]>,
    context: Context,
  ) => Promise<R[K] extends { stream: 'jsonl' } ? AsyncIterable<Answer<OutputOf<R[K]>>> : Answer<OutputOf<R[K]>> | EventsOf<R[K]>>
}
