/** What a server of `server-process.ts` does beside serving its folder. */
export interface ServerOptions {
  /** It runs the jobs of monitors, and these look all the time for calls that were written that long ago. */
  monitors?: { settleMs: number }
  /** It may call receivers at 127.0.0.1, and checks expected events after this time. */
  webhooks?: { checkAfterMs: number }
  /** Records that a large deletion removes at a time; default: those of a server. */
  removedAtOnce?: number
  /** Stores that it shares with other servers; only contents of files are in its folder. */
  shared?: SharedStoreUrls
}

export interface SharedStoreUrls {
  postgresUrl: string
  analyticalUrl: string
}
