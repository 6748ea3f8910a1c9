/** Why spans were dropped. */
export type DropReason = 'queue-full' | 'refused' | 'unauthorized' | 'too-large' | 'unencodable' | 'spool-full' | 'spool-lost' | 'shutdown'

/**
 * Counts of spans by outcome: `ended` and `recovered` together are always the sum of `sent`, `rejected`, `dropped`, `spooled`, `queued` and `inFlight`.
 */
export interface ExporterStats {
  /** Spans passed to the exporter, after filter and sampling. */
  ended: number
  sent: number
  /** Rejected by the server while it accepted the rest of the request. */
  rejected: number
  dropped: number
  droppedBy: Partial<Record<DropReason, number>>
  /** Waiting in the spool, on disk. */
  spooled: number
  /** Recovered from the spool of a process that has exited. */
  recovered: number
  queued: number
  inFlight: number
  /** Bytes of spans that are queued or in flight, before compression. */
  pendingBytes: number
  /** Bytes of bodies as sent, failed attempts included. */
  sentBytes: number
  requests: number
  retries: number
  /** Spans that the filter dropped; not part of `ended`. */
  filtered: number
  /** Spans that sampling dropped; not part of `ended`. */
  sampledOut: number
}

export function createStats(): ExporterStats {
  return {
    ended: 0,
    sent: 0,
    rejected: 0,
    dropped: 0,
    droppedBy: {},
    spooled: 0,
    recovered: 0,
    queued: 0,
    inFlight: 0,
    pendingBytes: 0,
    sentBytes: 0,
    requests: 0,
    retries: 0,
    filtered: 0,
    sampledOut: 0,
  }
}

export function countDrop(stats: ExporterStats, reason: DropReason, spans: number): void {
  stats.dropped += spans
  stats.droppedBy[reason] = (stats.droppedBy[reason] ?? 0) + spans
}

/** `3 queue-full, 1 refused`, for messages. */
export function describeDrops({ droppedBy }: ExporterStats): string {
  return Object.entries(droppedBy)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ')
}
