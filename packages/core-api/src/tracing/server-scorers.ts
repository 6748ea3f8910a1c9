/** Classes of scorers that need no model. */
export const ruleScorerClasses = [
  'ExactMatchScorer',
  'FuzzyMatchScorer',
  'JSONValidityScorer',
  'RegexScorer',
  'SimilarityScorer',
  'NumericThresholdScorer',
] as const

/** Class of scorers that use a model. */
export const judgeScorerClass = 'LLMAsAJudgeScorer'

/** Classes of scorers that the server runs. Other scorers have code, which it never executes. */
export const serverScorerClasses: readonly string[] = [judgeScorerClass, ...ruleScorerClasses]
