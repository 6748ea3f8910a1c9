/** What a server of `server-process.ts` does beside serving its folder. */
export interface ServerOptions {
  /** It runs the jobs of monitors, and these look all the time for calls that were written that long ago. */
  monitors?: { settleMs: number }
  /** It may call receivers at 127.0.0.1, and looks so much later what became of expected events. */
  webhooks?: { checkAfterMs: number }
  /** Calls that one deletion deletes together; default: those of a server. */
  callsDeletedAtOnce?: number
  /** Stores that it shares with other servers; only contents of files are in its folder. */
  shared?: SharedStoreUrls
}

export interface SharedStoreUrls {
  postgresUrl: string
  analyticalUrl: string
}
