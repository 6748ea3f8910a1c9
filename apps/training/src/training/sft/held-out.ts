/** The loss of examples that are not learned, as it went. JSON, kept with the position of a job. */
export interface HeldOutLoss {
  /** Before the first gradient step. */
  before: number
  /** After the last pass so far. */
  last: number
  best: number
  /** Passes since the best one. */
  passesSinceBest: number
}

export function beginHeldOut(loss: number): HeldOutLoss {
  return { before: loss, last: loss, best: loss, passesSinceBest: 0 }
}

export function afterPass({ before, best, passesSinceBest }: HeldOutLoss, loss: number): HeldOutLoss {
  return loss < best
    ? { before, last: loss, best: loss, passesSinceBest: 0 }
    : { before, last: loss, best, passesSinceBest: passesSinceBest + 1 }
}
