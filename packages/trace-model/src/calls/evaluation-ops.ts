/** Short name of the op whose calls are runs of evaluations, recorded by SDKs or by the server. */
export const evaluateOp = 'Evaluation.evaluate'

/** The names under which the runs of a project are found, for `op_names` of a filter of calls. */
export const evaluateOpNames = (project: string): string[] => [`weave:///${project}/op/${evaluateOp}:*`, evaluateOp]
