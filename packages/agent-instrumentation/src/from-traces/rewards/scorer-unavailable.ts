/** A scorer cannot be run over attempts. The message names it, the scorers that there are, and the way out. */
export class ScorerUnavailable extends Error {
  override readonly name = 'ScorerUnavailable'
}
