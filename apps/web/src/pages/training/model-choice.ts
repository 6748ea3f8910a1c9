/** A version of a model that can be queried. */
export interface ModelChoice {
  /** The model's name in requests. */
  model: string
  title: string
  note?: string
  /** Undefined for the base model. */
  step: number | undefined
}

/** Models that are queried side by side. */
export const maxPanes = 4

const looks = ['bg-s1', 'bg-s2', 'bg-s3', 'bg-s4']

/** The colour of a pane, which its checkpoint has in tables. */
export const lookOfPane = (at: number): string => looks[at % looks.length]!
