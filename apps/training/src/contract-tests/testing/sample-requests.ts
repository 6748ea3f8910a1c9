import { toForwardBackwardJson } from '../../engine/tinker/json/messages.ts'
import { encodeForwardBackward } from '../../engine/tinker/protobuf/messages.ts'
import { aGroup } from '../../testing/sampled-choice.ts'

/** The data of a test's project. */
export interface Place {
  entity: string
  project: string
  model_id: string
  /** Address of the model `agent`. */
  address: string
  checkpoint_id: string
  job_id: string
  event_id: string
  trajectory_id: string
  group_id: string
  response_id: string
  file_id: string
  fine_tuning_job_id: string
  training_data_url: string
  /** Ids of the Tinker API: an open session, its model, its sampling session, and a request of it. */
  session_id: string
  run_id: string
  sampler_id: string
  request_id: string
}

const pass = {
  sequenceId: 0,
  data: [{ tokens: Int32Array.of(97), targets: Int32Array.of(98), floats: {} }],
  lossFunction: 'cross_entropy',
}
const aPass = (modelId: string) => Buffer.from(encodeForwardBackward({ ...pass, modelId, forwardOnly: false }))

const trajectory_groups = [aGroup('a', 'b')]

/** A request of each operation on the data of a project; null for those that name none of it. */
export const sampleRequests: Record<string, ((place: Place) => object) | null> = {
  'baseModels.list': null,
  'fineTuningJobs.create': ({ address, file_id }) => ({ model: address, training_file: file_id }),
  'fineTuningJobs.list': ({ entity, project }) => ({ 'openai-project': `${entity}/${project}` }),
  'fineTuningJobs.read': ({ fine_tuning_job_id }) => ({ fine_tuning_job_id }),
  'fineTuningJobs.cancel': ({ fine_tuning_job_id }) => ({ fine_tuning_job_id }),
  'fineTuningJobs.events': ({ fine_tuning_job_id }) => ({ fine_tuning_job_id }),
  'fineTuningJobs.checkpoints': ({ fine_tuning_job_id }) => ({ fine_tuning_job_id }),
  'health.check': null,
  'health.systemCheck': null,
  'completions.create': ({ address }) => ({ model: address, prompt: 'go', max_tokens: 1 }),
  'messages.create': ({ address }) => ({ model: address, messages: [{ role: 'user', content: 'go' }], max_tokens: 1 }),
  'messages.countTokens': ({ address }) => ({ model: address, messages: [{ role: 'user', content: 'go' }] }),
  'responses.create': ({ address }) => ({ model: address, input: 'go', max_output_tokens: 1 }),
  'responses.read': ({ response_id }) => ({ response_id }),
  'responses.delete': ({ response_id }) => ({ response_id }),
  'servedModels.list': null,
  'servedModels.read': ({ address }) => ({ model: address }),
  'models.create': ({ entity, project }) => ({ entity, project, name: 'agent', base_model: 'table', return_existing: true }),
  'models.list': ({ entity, project }) => ({ entity, project, name: 'agent' }),
  'models.read': ({ model_id }) => ({ model_id }),
  'models.delete': ({ model_id }) => ({ model_id }),
  'checkpoints.list': ({ model_id, checkpoint_id }) => ({ model_id, after: checkpoint_id, order: 'desc' }),
  'checkpoints.delete': ({ model_id }) => ({ model_id, steps: [0] }),
  'checkpoints.keep': ({ model_id }) => ({ model_id, step: 0, kept: false }),
  'checkpoints.import': ({ model_id }) => ({ model_id, bytes: Buffer.from('no archive'), content_type: 'application/gzip' }),
  'checkpoints.archive': ({ model_id }) => ({ model_id, step: 1 }),
  'checkpoints.export': ({ model_id }) => ({ model_id, step: 1, format: 'peft' }),
  'trainingJobs.create': ({ model_id }) => ({ model_id, trajectory_groups }),
  'trainingJobs.createSft': ({ model_id, training_data_url }) => ({ model_id, training_data_url }),
  'trainingJobs.estimateSft': ({ model_id }) => ({ model_id, examples: 2 }),
  'trainingJobs.list': ({ entity, project, model_id }) => ({ entity, project, model_id }),
  'trainingJobs.read': ({ job_id }) => ({ job_id }),
  'trainingJobs.cancel': ({ job_id }) => ({ job_id }),
  'trainingEvents.list': ({ job_id, event_id }) => ({ job_id, after: event_id }),
  'trainingData.create': ({ entity, project }) => ({ entity, project, bytes: Buffer.from('{}\n'), content_type: 'application/jsonl' }),
  'trainingFiles.create': ({ entity, project }) => ({
    'openai-project': `${entity}/${project}`,
    purpose: 'fine-tune',
    files: [{ field: 'file', filename: 'a.jsonl', content_type: 'application/jsonl', bytes: Buffer.from('{}\n') }],
  }),
  'trainingFiles.list': ({ entity, project }) => ({ 'openai-project': `${entity}/${project}` }),
  'trainingFiles.read': ({ file_id }) => ({ file_id }),
  'trainingFiles.content': ({ file_id }) => ({ file_id }),
  'trainingFiles.delete': ({ file_id }) => ({ file_id }),
  'trajectories.log': ({ model_id }) => ({ model_id, split: 'val', trajectory_groups }),
  'trajectories.list': ({ model_id }) => ({ model_id }),
  'jobTrajectories.listGroups': ({ job_id }) => ({ job_id }),
  'jobTrajectories.list': ({ job_id }) => ({ job_id, group: 0 }),
  'recordedTrajectories.list': ({ model_id }) => ({ model_id }),
  'recordedTrajectories.read': ({ model_id, trajectory_id }) => ({ model_id, trajectory_id }),
  'recordedTrajectories.finish': ({ model_id, trajectory_id }) => ({ model_id, trajectory_id, reward: 0 }),
  'recordedTrajectories.groups': ({ model_id, group_id }) => ({ model_id, group_id }),
  'recordedTrajectories.train': ({ model_id, group_id }) => ({ model_id, group_id }),
  'recordedTrajectories.delete': ({ model_id, trajectory_id }) => ({ model_id, trajectory_id }),
  'tinker.healthz': null,
  'tinker.readCapabilities': null,
  'tinker.readClientConfig': null,
  'tinker.readDynamicConfig': null,
  'tinker.addTelemetry': null,
  'tinker.createSession': ({ entity, project }) => ({ project_id: `${entity}/${project}` }),
  'tinker.heartbeat': ({ session_id }) => ({ session_id }),
  'tinker.listSessions': null,
  'tinker.readSession': ({ session_id }) => ({ session_id }),
  'tinker.finishSession': ({ session_id }) => ({ session_id }),
  'tinker.createModel': ({ session_id }) => ({ session_id, model_seq_id: 9, base_model: 'table' }),
  'tinker.readInfo': ({ run_id }) => ({ model_id: run_id }),
  'tinker.unloadModel': ({ run_id }) => ({ model_id: run_id }),
  'tinker.forwardBackward': ({ run_id }) => ({ bytes: aPass(run_id), content_type: 'application/x-protobuf' }),
  'tinker.forward': ({ run_id }) => ({
    bytes: Buffer.from(JSON.stringify(toForwardBackwardJson({ ...pass, modelId: run_id, forwardOnly: true }))),
    content_type: 'application/json',
  }),
  'tinker.optimStep': ({ run_id }) => ({ model_id: run_id, adam_params: {} }),
  'tinker.saveWeights': ({ run_id }) => ({ model_id: run_id, path: 'a' }),
  'tinker.saveWeightsForSampler': ({ run_id }) => ({ model_id: run_id, path: 'a' }),
  'tinker.loadWeights': ({ run_id }) => ({ model_id: run_id, path: `tinker://${run_id}/weights/first` }),
  'tinker.createSamplingSession': ({ session_id }) => ({ session_id, sampling_session_seq_id: 9, base_model: 'table' }),
  'tinker.readSampler': ({ sampler_id }) => ({ sampler_id }),
  'tinker.sample': ({ sampler_id }) => ({
    sampling_session_id: sampler_id,
    prompt: { chunks: [{ tokens: [97] }] },
    sampling_params: { max_tokens: 1 },
  }),
  'tinker.retrieveFuture': ({ request_id }) => ({ request_id }),
  'tinker.cancelFuture': ({ request_id }) => ({ request_id }),
  'tinker.listRuns': null,
  'tinker.readRun': ({ run_id }) => ({ run_id }),
  'tinker.listRunWeights': ({ run_id }) => ({ run_id }),
  'tinker.listWeights': null,
  'tinker.deleteWeights': ({ run_id }) => ({ run_id, kind: 'weights', name: 'first' }),
  'tinker.readWeightsInfo': ({ run_id }) => ({ tinker_path: `tinker://${run_id}/weights/first` }),
  'tinker.saveWeightsExternal': null,
  'tinker.copyWeights': null,
  'tinker.createCustomLoss': null,
  'chatCompletions.create': ({ address }) => ({ model: address, messages: [{ role: 'user', content: 'go' }], max_tokens: 1 }),
}
