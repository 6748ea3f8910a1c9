/** The loss of examples that are not learned, as it went. JSON, kept with the position of a job. */
export interface HeldOutLoss {
  /** Before the first gradient step. */
  before: number
  /** After the last pass so far. */
  last: number
  /** The lowest, that before the first step included. */
  best: number
  /** The lowest after a pass; null before one is finite. Absent where an earlier version began the job. */
  bestPass?: number | null
  /** Passes since the best one. */
  passesSinceBest: number
}

export function beginHeldOut(loss: number): HeldOutLoss {
  return { before: loss, last: loss, best: loss, bestPass: null, passesSinceBest: 0 }
}

export function afterPass(earlier: HeldOutLoss, loss: number): HeldOutLoss {
  const { before, best, bestPass = null, passesSinceBest } = earlier
  const isLower = loss < best
  return {
    before,
    last: loss,
    best: isLower ? loss : best,
    bestPass: isBestPass(earlier, loss) ? loss : bestPass,
    passesSinceBest: isLower ? 0 : passesSinceBest + 1,
  }
}

/** Whether a pass with this loss has the lowest of all so far; of equal ones the first has. */
export function isBestPass({ bestPass = null }: HeldOutLoss, loss: number): boolean {
  return Number.isFinite(loss) && (bestPass === null || loss < bestPass)
}

/** Whether an earlier pass has a lower loss than the last one. */
export function hasBetterPass({ bestPass = null, last }: HeldOutLoss): boolean {
  return bestPass !== null && !(last <= bestPass)
}
