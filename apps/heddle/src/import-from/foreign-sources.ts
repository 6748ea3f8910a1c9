/** Products whose exports can be imported. */
export const foreignSources = ['langfuse', 'phoenix', 'mlflow', 'weave', 'openai'] as const
export type ForeignSource = (typeof foreignSources)[number]
