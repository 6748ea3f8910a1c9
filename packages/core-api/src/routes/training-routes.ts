// Made from the contract by "npm run gen".
import type { training } from '../training/index.ts'
import type { Routes } from './route.ts'

/** The routes of `training`, for a client that loads no schemas. */
export const trainingRoutes: Routes<typeof training> = {
  baseModels: {
    list: {"method":"GET","path":"/v1/preview/base-models","query":["after","limit"]},
  },
  chatCompletions: {
    create: {"method":"POST","path":"/v1/chat/completions","headers":["x-heddle-trajectory-id","x-heddle-group-id","x-heddle-rollout-id","idempotency-key","traceparent"],"body":true,"repeat":"adds"},
  },
  checkpoints: {
    list: {"method":"GET","path":"/v1/preview/models/{model_id}/checkpoints","params":["model_id"],"query":["after","limit","order"]},
    delete: {"method":"DELETE","path":"/v1/preview/models/{model_id}/checkpoints","params":["model_id"],"body":true},
    keep: {"method":"PUT","path":"/v1/preview/models/{model_id}/checkpoints/{step}/keep","params":["model_id","step"],"body":true},
    import: {"method":"POST","path":"/v1/preview/models/{model_id}/checkpoints","params":["model_id"],"bytes":["application/gzip","application/x-gzip","application/octet-stream"]},
    archive: {"method":"GET","path":"/v1/preview/models/{model_id}/checkpoints/{step}/archive","params":["model_id","step"],"output":"bytes"},
    export: {"method":"GET","path":"/v1/preview/models/{model_id}/checkpoints/{step}/export","params":["model_id","step"],"query":["format","numbers"],"output":"bytes"},
  },
  completions: {
    create: {"method":"POST","path":"/v1/completions","headers":["x-heddle-trajectory-id"],"body":true,"repeat":"adds"},
  },
  fineTuningJobs: {
    create: {"method":"POST","path":"/v1/fine_tuning/jobs","headers":["openai-project"],"body":true,"repeat":"adds"},
    list: {"method":"GET","path":"/v1/fine_tuning/jobs","query":["after","limit"],"headers":["openai-project"]},
    read: {"method":"GET","path":"/v1/fine_tuning/jobs/{fine_tuning_job_id}","params":["fine_tuning_job_id"]},
    cancel: {"method":"POST","path":"/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel","params":["fine_tuning_job_id"]},
    events: {"method":"GET","path":"/v1/fine_tuning/jobs/{fine_tuning_job_id}/events","params":["fine_tuning_job_id"],"query":["after","limit"]},
    checkpoints: {"method":"GET","path":"/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints","params":["fine_tuning_job_id"],"query":["after","limit"]},
  },
  health: {
    check: {"method":"GET","path":"/v1/health"},
    systemCheck: {"method":"GET","path":"/v1/system-check"},
  },
  jobTrajectories: {
    listGroups: {"method":"GET","path":"/v1/preview/training-jobs/{job_id}/trajectory-groups","params":["job_id"],"query":["after","limit"]},
    list: {"method":"GET","path":"/v1/preview/training-jobs/{job_id}/trajectory-groups/{group}/trajectories","params":["job_id","group"],"query":["after","limit","log_probabilities"]},
  },
  messages: {
    create: {"method":"POST","path":"/v1/messages","headers":["x-heddle-trajectory-id","x-heddle-group-id","x-heddle-rollout-id","idempotency-key","traceparent","anthropic-version"],"body":true,"repeat":"adds"},
    countTokens: {"method":"POST","path":"/v1/messages/count_tokens","body":true},
  },
  models: {
    create: {"method":"POST","path":"/v1/preview/models","headers":["idempotency-key"],"body":true,"repeat":{"idAt":["idempotency-key"]}},
    list: {"method":"GET","path":"/v1/preview/models","query":["entity","project","name","after","limit"]},
    read: {"method":"GET","path":"/v1/preview/models/{model_id}","params":["model_id"]},
    delete: {"method":"DELETE","path":"/v1/preview/models/{model_id}","params":["model_id"]},
  },
  recordedTrajectories: {
    list: {"method":"GET","path":"/v1/preview/models/{model_id}/recorded-trajectories","params":["model_id"],"query":["group_id","rollout_id","status","trace_id","after","limit"]},
    read: {"method":"GET","path":"/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}","params":["model_id","trajectory_id"]},
    finish: {"method":"POST","path":"/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}/finish","params":["model_id","trajectory_id"],"body":true},
    groups: {"method":"GET","path":"/v1/preview/models/{model_id}/recorded-groups","params":["model_id"],"query":["group_id","rollout_id"],"stream":"jsonl"},
    train: {"method":"POST","path":"/v1/preview/models/{model_id}/recorded-groups/train","params":["model_id"],"headers":["idempotency-key"],"body":true,"repeat":{"idAt":["idempotency-key"]}},
    delete: {"method":"DELETE","path":"/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}","params":["model_id","trajectory_id"]},
  },
  responses: {
    create: {"method":"POST","path":"/v1/responses","headers":["x-heddle-trajectory-id","x-heddle-group-id","x-heddle-rollout-id","idempotency-key","traceparent"],"body":true,"repeat":"adds"},
    read: {"method":"GET","path":"/v1/responses/{response_id}","params":["response_id"]},
    delete: {"method":"DELETE","path":"/v1/responses/{response_id}","params":["response_id"]},
  },
  servedModels: {
    list: {"method":"GET","path":"/v1/models","query":["after_id","limit"]},
    read: {"method":"GET","path":"/v1/models/{model}","params":["model"]},
  },
  tinker: {
    healthz: {"method":"GET","path":"/api/v1/healthz"},
    readCapabilities: {"method":"GET","path":"/api/v1/get_server_capabilities"},
    readClientConfig: {"method":"POST","path":"/api/v1/client/config","body":true},
    readDynamicConfig: {"method":"POST","path":"/api/v1/client/dynamic_config","body":true},
    addTelemetry: {"method":"POST","path":"/api/v1/telemetry"},
    createSession: {"method":"POST","path":"/api/v1/create_session","body":true,"repeat":"adds"},
    heartbeat: {"method":"POST","path":"/api/v1/session_heartbeat","body":true},
    listSessions: {"method":"GET","path":"/api/v1/sessions","query":["limit","offset"]},
    readSession: {"method":"GET","path":"/api/v1/sessions/{session_id}","params":["session_id"]},
    finishSession: {"method":"POST","path":"/api/v1/sessions/{session_id}/finish","params":["session_id"],"body":true},
    createModel: {"method":"POST","path":"/api/v1/create_model","body":true},
    readInfo: {"method":"POST","path":"/api/v1/get_info","body":true},
    unloadModel: {"method":"POST","path":"/api/v1/unload_model","body":true},
    forwardBackward: {"method":"POST","path":"/api/v1/forward_backward","bytes":["application/x-protobuf","application/json"]},
    forward: {"method":"POST","path":"/api/v1/forward","bytes":["application/json"]},
    optimStep: {"method":"POST","path":"/api/v1/optim_step","body":true},
    saveWeights: {"method":"POST","path":"/api/v1/save_weights","body":true},
    saveWeightsForSampler: {"method":"POST","path":"/api/v1/save_weights_for_sampler","body":true},
    loadWeights: {"method":"POST","path":"/api/v1/load_weights","body":true},
    createSamplingSession: {"method":"POST","path":"/api/v1/create_sampling_session","body":true},
    readSampler: {"method":"GET","path":"/api/v1/samplers/{sampler_id}","params":["sampler_id"]},
    sample: {"method":"POST","path":"/api/v1/asample","body":true},
    retrieveFuture: {"method":"POST","path":"/api/v1/retrieve_future","headers":["accept"],"body":true,"output":"bytes"},
    cancelFuture: {"method":"POST","path":"/api/v1/cancel_future","body":true},
    listRuns: {"method":"GET","path":"/api/v1/training_runs","query":["limit","offset"]},
    readRun: {"method":"GET","path":"/api/v1/training_runs/{run_id}","params":["run_id"]},
    listRunWeights: {"method":"GET","path":"/api/v1/training_runs/{run_id}/checkpoints","params":["run_id"]},
    listWeights: {"method":"GET","path":"/api/v1/checkpoints","query":["limit","offset"]},
    deleteWeights: {"method":"DELETE","path":"/api/v1/training_runs/{run_id}/checkpoints/{kind}/{name}","params":["run_id","kind","name"]},
    readWeightsInfo: {"method":"POST","path":"/api/v1/weights_info","body":true},
    saveWeightsExternal: {"method":"POST","path":"/api/v1/save_weights_external"},
    copyWeights: {"method":"POST","path":"/api/v1/copy_weights"},
    createCustomLoss: {"method":"POST","path":"/api/v1/create_custom_loss"},
  },
  trainingData: {
    create: {"method":"POST","path":"/v1/preview/training-data","query":["entity","project"],"bytes":["application/jsonl","application/x-ndjson","application/octet-stream","text/plain"]},
  },
  trainingEvents: {
    list: {"method":"GET","path":"/v1/preview/training-jobs/{job_id}/events","params":["job_id"],"query":["after","limit"]},
  },
  trainingFiles: {
    create: {"method":"POST","path":"/v1/files","headers":["openai-project"],"multipart":["purpose","expires_after[anchor]","expires_after[seconds]"],"repeat":"adds"},
    list: {"method":"GET","path":"/v1/files","query":["purpose","after","limit","order"],"headers":["openai-project"]},
    read: {"method":"GET","path":"/v1/files/{file_id}","params":["file_id"]},
    content: {"method":"GET","path":"/v1/files/{file_id}/content","params":["file_id"],"output":"bytes"},
    delete: {"method":"DELETE","path":"/v1/files/{file_id}","params":["file_id"]},
  },
  trainingJobs: {
    create: {"method":"POST","path":"/v1/preview/training-jobs","headers":["idempotency-key"],"body":true,"repeat":{"idAt":["idempotency-key"]}},
    createSft: {"method":"POST","path":"/v1/preview/sft-training-jobs","headers":["idempotency-key"],"body":true},
    estimateSft: {"method":"POST","path":"/v1/preview/sft-training-jobs/estimate","body":true},
    list: {"method":"GET","path":"/v1/preview/training-jobs","query":["model_id","entity","project","kind","status","after","limit","order"]},
    read: {"method":"GET","path":"/v1/preview/training-jobs/{job_id}","params":["job_id"]},
    cancel: {"method":"POST","path":"/v1/preview/training-jobs/{job_id}/cancel","params":["job_id"]},
  },
  trajectories: {
    log: {"method":"POST","path":"/v1/preview/models/{model_id}/log","params":["model_id"],"headers":["idempotency-key"],"body":true,"repeat":{"idAt":["idempotency-key"]}},
    list: {"method":"GET","path":"/v1/preview/models/{model_id}/trajectories","params":["model_id"],"query":["split","step","trajectory_id","trace_id","after","limit"]},
  },
}
