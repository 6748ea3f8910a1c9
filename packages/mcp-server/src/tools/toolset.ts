/** Tools that are switched on and off together. */
export type Toolset = 'evals' | 'traces' | 'training' | 'annotate'

export const toolsets: readonly Toolset[] = ['evals', 'traces', 'training', 'annotate']
