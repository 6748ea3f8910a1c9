const hourMs = 3_600_000
const longestBackoffMs = 60_000

/** How long to wait before a server is started again: longer with each failure in a row, and until the hour has room for another start. */
export class RestartPause {
  private readonly startsPerHour: number
  private starts: number[] = []
  private failuresInARow = 0

  /** @param startsPerHour most starts within any hour */
  constructor(startsPerHour: number) {
    this.startsPerHour = startsPerHour
  }

  noteStart(nowMs: number): void {
    this.starts.push(nowMs)
  }

  /** The server answered. */
  noteSuccess(): void {
    this.failuresInARow = 0
  }

  /** Counts one more failure, and returns the pause after it. */
  afterFailure(nowMs: number): number {
    this.failuresInARow++
    this.starts = this.starts.filter((at) => at > nowMs - hourMs)
    const backoffMs = Math.min(1_000 * 2 ** Math.min(this.failuresInARow - 1, 10), longestBackoffMs)
    return this.starts.length < this.startsPerHour ? backoffMs : Math.max(backoffMs, this.starts[0]! + hourMs - nowMs)
  }
}
