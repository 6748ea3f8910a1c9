/** How often monitors look for calls, and how late a call may be seen. */
export interface MonitorTimes {
  /** Between two looks of a monitor, on all servers together. */
  everyMs: number
  /** Calls that were written since are left for the next look: a write that got its version before may not be readable yet. */
  settleMs: number
  /** Calls that started longer ago are not looked at. */
  windowMs: number
}

/** Servers that share a store have clocks that may differ, and each gives versions by its own. */
export function monitorTimes({ sharesStore }: { sharesStore: boolean }): MonitorTimes {
  return { everyMs: 10_000, settleMs: sharesStore ? 60_000 : 10_000, windowMs: 24 * 3_600_000 }
}
