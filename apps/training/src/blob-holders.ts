/** Names of the rows that need blobs, in the table of references. */
export const checkpointHolder = (checkpointId: string) => `checkpoint:${checkpointId}`
/** Holds the input of a job. */
export const inputHolder = (jobId: string) => `input:${jobId}`
/** Holds the state from which a job would resume. */
export const recoveryHolder = (jobId: string) => `recovery:${jobId}`
/** The optimizer as the last job of a model left it. */
export const optimizerHolder = (modelId: string) => `optimizer:${modelId}`
/** All logged trajectories of a model. */
export const logHolder = (modelId: string) => `log:${modelId}`
export const trainingDataHolder = (projectId: string, name: string) => `training-data:${projectId}:${name}`
/** An uploaded file to learn from. */
export const trainingFileHolder = (fileId: string) => `training-file:${fileId}`
/** The calls of a recorded trajectory. */
export const recordedHolder = (modelId: string, trajectoryId: string) => `recorded:${modelId}:${trajectoryId}`
/** A stored response of a model; of a base model where the id of the model is empty. */
export const responseHolder = (modelId: string, responseId: string) => `response:${modelId}:${responseId}`
/** Range of the names of all stored responses of a model, the end exclusive. */
export const responseHoldersOf = (modelId: string) => ({ from: `response:${modelId}:`, to: `response:${modelId};` })
/** Range of the names of all recorded trajectories of a model, the end exclusive. */
export const recordedHoldersOf = (modelId: string) => ({ from: `recorded:${modelId}:`, to: `recorded:${modelId};` })
/** The state of a training that was saved step by step. */
export const tinkerHolder = (modelId: string, weightsId: string) => `tinker:${modelId}:${weightsId}`
/** Range of the names of all such states of a model, the end exclusive. */
export const tinkerHoldersOf = (modelId: string) => ({ from: `tinker:${modelId}:`, to: `tinker:${modelId};` })
