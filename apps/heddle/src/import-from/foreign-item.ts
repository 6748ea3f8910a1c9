/** A JSON value; a number that JavaScript would write differently is a `JsonNumber`. */
export type Json = unknown
export type JsonObject = Record<string, Json>

/** A span of another product, in terms of OpenTelemetry. */
export interface ForeignSpan {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  parentSpanId: string | undefined
  name: string
  /** Nanoseconds since 1970. */
  startNs: bigint
  /** Undefined if the span has not ended. */
  endNs: bigint | undefined
  /** As its product sends them to an OpenTelemetry collector, so that ingest maps them by the same rules. */
  attributes: JsonObject
  /** Message of an error, or an empty text; undefined if the span did not fail. */
  error: string | undefined
  events: readonly ForeignEvent[]
}

export interface ForeignEvent {
  name: string
  timeNs: bigint
  attributes: JsonObject
}

/** What a score is about: a call by its id, or a thread by its. */
export type ScoreSubject = { call: string } | { thread: string }

/** A score, a label or an expectation. */
export interface ForeignScore {
  /** Where it comes from; the same score has the same id in each import. */
  id: string
  about: ScoreSubject
  name: string
  value: Json
  /** Comment, kind of judge, time and so on; empty values are left out. */
  details: JsonObject
  creator: string | undefined
}

/** A note or a reaction to a call. */
export interface ForeignRemark {
  id: string
  call: string
  type: 'wandb.note.1' | 'wandb.reaction.1'
  payload: JsonObject
  creator: string | undefined
}

/** A version of a prompt. */
export interface ForeignPrompt {
  name: string
  /** Versions are published in this order. */
  version: number
  /** A text, or messages of a chat. */
  template: string | readonly Json[]
  /** Model, parameters and so on, stored with the template. */
  details: JsonObject
  aliases: readonly string[]
}

/** An execution on the rows of a dataset. */
export interface ForeignRun {
  /** Id of its call. */
  id: string
  name: string
  /** Name of the dataset; undefined if the record has none. */
  dataset: string | undefined
  /** Description, metadata and so on. */
  details: JsonObject
}

/** One row of a run, with the trace that was recorded for it. */
export interface ForeignRunItem {
  /** The same item has the same id in each import. */
  id: string
  /** Id and name of its run. */
  run: Pick<ForeignRun, 'id' | 'name'>
  /** Value of `id` of the row of a dataset. */
  row: string
  /** 32 hex digits. */
  traceId: string
  /** Id of the call that has the output; undefined for the root of the trace. */
  call: string | undefined
}

export type ForeignItem =
  | { kind: 'run'; run: ForeignRun }
  | { kind: 'run item'; item: ForeignRunItem }
  | { kind: 'span'; span: ForeignSpan }
  | { kind: 'score'; score: ForeignScore }
  | { kind: 'remark'; remark: ForeignRemark }
  | { kind: 'row'; dataset: string; row: JsonObject }
  | { kind: 'prompt'; prompt: ForeignPrompt }
  /** A call as the API of this server takes it. */
  | { kind: 'call'; record: JsonObject }
  /** A record that cannot be imported. */
  | { kind: 'skipped'; what: string; reason: string }

/** Position of a record in the export. */
export interface RecordPlace {
  /** Path below the imported folder. */
  file: string
  /** Line, row, or position in a list, from 1. */
  number: number
}

/** Reads the records of one product's exports. */
export interface ForeignFormat {
  /** Called with every record before the first `read`, for facts that depend on all of them. */
  survey(record: JsonObject, place: RecordPlace): void
  /** Files that records refer to. Absent for formats without any. */
  media?: {
    /** Media types by the ids that surveyed records refer to. */
    types: ReadonlyMap<string, string>
    /** Whether a text has the form of an id. */
    isId(text: string): boolean
    /** The id of content with this SHA-256, in lower-case hexadecimal. */
    idOf(sha256: string): string
    /** Takes the values that replace the references, by their ids, before `read` sees the first record. */
    use(values: ReadonlyMap<string, JsonObject>): void
  }
  /** @throws UsageError for a record that contradicts itself */
  read(record: JsonObject, place: RecordPlace): Iterable<ForeignItem>
}
