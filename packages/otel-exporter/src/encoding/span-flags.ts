const hasIsRemote = 0x100
const isRemote = 0x200

/** The flags of a span or link: those of the trace, and whether the parent or the linked span ran elsewhere. */
export function toSpanFlags(traceFlags: number, remote: boolean | undefined): number {
  return (traceFlags & 0xff) | hasIsRemote | (remote ? isRemote : 0)
}
