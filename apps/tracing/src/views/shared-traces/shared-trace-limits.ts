/** `docs/limits.md` shows them to users. */
export const sharedTraceLimits = {
  /** Links of a project that have not expired. */
  perProject: 1_000,
  /** Requests of one link, at each server. */
  requestsPerMinute: 600,
} as const
