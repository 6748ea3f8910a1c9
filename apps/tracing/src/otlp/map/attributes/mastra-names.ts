/** Kinds of spans whose input and output Mastra's exporter names after the kind; those of model and tool calls follow the conventions. */
const kinds = [
  'agent_run',
  'model_generation',
  'model_step',
  'model_chunk',
  'workflow_run',
  'workflow_step',
  'processor_run',
  'memory_operation',
  'rag_action',
  'scorer_run',
  'generic',
]

/** Names of attributes such as `mastra.agent_run.input`. */
export const mastraNames = (side: 'input' | 'output'): readonly string[] => kinds.map((kind) => `mastra.${kind}.${side}`)
