/** A cluster's report about a server that it was requested to run. */
export type ServerState =
  /** It never knew the server, or has forgotten it. */
  | { kind: 'absent' }
  /** Not started yet, or still without an address. */
  | { kind: 'pending'; detail: string }
  | { kind: 'running'; address: string }
  | { kind: 'ended'; reason: string }

/** `waiting`: another server of the same name has to stop first. */
export type StartOutcome = 'started' | 'adopted' | 'waiting'

/** Runs one training server somewhere else. Each call may fail and be repeated; none is made twice at a time. */
export interface EngineLauncher {
  /** Where the server runs, for messages: `Ray at http://…`. */
  readonly place: string
  /**
   * Starts the server. A server that already runs with the same settings, for example one of an earlier process, is adopted; one with other settings
   * is stopped. @throws LauncherError
   */
  start(signal: AbortSignal): Promise<StartOutcome>
  /** Descriptions of the cluster's servers with this name: `heddle-training-2 runs at http://…`. @throws LauncherError */
  servers(signal: AbortSignal): Promise<string[]>
  /** State of the server that was started or adopted. @throws LauncherError */
  state(signal: AbortSignal): Promise<ServerState>
  /** Bounds the output of the server that was started or adopted, where its cluster does not. To be called now and then while it runs. */
  shortenOutput(): Promise<void>
  /** Requests the cluster to stop every server with this name. @throws LauncherError */
  stop(signal: AbortSignal): Promise<void>
}

/** The cluster did not fulfil a request. The message names the cluster and its response. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError'
}
