import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { unboundedPlaces } from '../testing/unbounded-places.ts'
import { unboundedSchemas } from '../testing/unbounded-schemas.ts'
import { unboundedProperties, unboundedTexts } from '../testing/unbounded-texts.ts'
import { training } from './index.ts'
import { Trajectory, TrajectoryGroup } from './trajectory.ts'

const operations = Object.entries(training).flatMap(([resource, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
)

test('the operations have the methods and paths of the interface, and of its additions', () => {
  expect(operations.map(({ name, operation }) => `${operation.method} ${operation.path} ${name}`)).toEqual([
    'GET /v1/preview/base-models baseModels.list',
    'POST /v1/chat/completions chatCompletions.create',
    'GET /v1/preview/models/{model_id}/checkpoints checkpoints.list',
    'DELETE /v1/preview/models/{model_id}/checkpoints checkpoints.delete',
    'PUT /v1/preview/models/{model_id}/checkpoints/{step}/keep checkpoints.keep',
    'POST /v1/preview/models/{model_id}/checkpoints checkpoints.import',
    'GET /v1/preview/models/{model_id}/checkpoints/{step}/archive checkpoints.archive',
    'GET /v1/preview/models/{model_id}/checkpoints/{step}/export checkpoints.export',
    'POST /v1/completions completions.create',
    'POST /v1/fine_tuning/jobs fineTuningJobs.create',
    'GET /v1/fine_tuning/jobs fineTuningJobs.list',
    'GET /v1/fine_tuning/jobs/{fine_tuning_job_id} fineTuningJobs.read',
    'POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel fineTuningJobs.cancel',
    'GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events fineTuningJobs.events',
    'GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints fineTuningJobs.checkpoints',
    'GET /v1/health health.check',
    'GET /v1/system-check health.systemCheck',
    'GET /v1/preview/training-jobs/{job_id}/trajectory-groups jobTrajectories.listGroups',
    'GET /v1/preview/training-jobs/{job_id}/trajectory-groups/{group}/trajectories jobTrajectories.list',
    'POST /v1/messages messages.create',
    'POST /v1/messages/count_tokens messages.countTokens',
    'POST /v1/preview/models models.create',
    'GET /v1/preview/models models.list',
    'GET /v1/preview/models/{model_id} models.read',
    'DELETE /v1/preview/models/{model_id} models.delete',
    'GET /v1/preview/models/{model_id}/recorded-trajectories recordedTrajectories.list',
    'GET /v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id} recordedTrajectories.read',
    'POST /v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}/finish recordedTrajectories.finish',
    'GET /v1/preview/models/{model_id}/recorded-groups recordedTrajectories.groups',
    'POST /v1/preview/models/{model_id}/recorded-groups/train recordedTrajectories.train',
    'DELETE /v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id} recordedTrajectories.delete',
    'POST /v1/responses responses.create',
    'GET /v1/responses/{response_id} responses.read',
    'DELETE /v1/responses/{response_id} responses.delete',
    'GET /v1/models servedModels.list',
    'GET /v1/models/{model} servedModels.read',
    'GET /api/v1/healthz tinker.healthz',
    'GET /api/v1/get_server_capabilities tinker.readCapabilities',
    'POST /api/v1/client/config tinker.readClientConfig',
    'POST /api/v1/client/dynamic_config tinker.readDynamicConfig',
    'POST /api/v1/telemetry tinker.addTelemetry',
    'POST /api/v1/create_session tinker.createSession',
    'POST /api/v1/session_heartbeat tinker.heartbeat',
    'GET /api/v1/sessions tinker.listSessions',
    'GET /api/v1/sessions/{session_id} tinker.readSession',
    'POST /api/v1/sessions/{session_id}/finish tinker.finishSession',
    'POST /api/v1/create_model tinker.createModel',
    'POST /api/v1/get_info tinker.readInfo',
    'POST /api/v1/unload_model tinker.unloadModel',
    'POST /api/v1/forward_backward tinker.forwardBackward',
    'POST /api/v1/forward tinker.forward',
    'POST /api/v1/optim_step tinker.optimStep',
    'POST /api/v1/save_weights tinker.saveWeights',
    'POST /api/v1/save_weights_for_sampler tinker.saveWeightsForSampler',
    'POST /api/v1/load_weights tinker.loadWeights',
    'POST /api/v1/create_sampling_session tinker.createSamplingSession',
    'GET /api/v1/samplers/{sampler_id} tinker.readSampler',
    'POST /api/v1/asample tinker.sample',
    'POST /api/v1/retrieve_future tinker.retrieveFuture',
    'POST /api/v1/cancel_future tinker.cancelFuture',
    'GET /api/v1/training_runs tinker.listRuns',
    'GET /api/v1/training_runs/{run_id} tinker.readRun',
    'GET /api/v1/training_runs/{run_id}/checkpoints tinker.listRunWeights',
    'GET /api/v1/checkpoints tinker.listWeights',
    'DELETE /api/v1/training_runs/{run_id}/checkpoints/{kind}/{name} tinker.deleteWeights',
    'POST /api/v1/weights_info tinker.readWeightsInfo',
    'POST /api/v1/save_weights_external tinker.saveWeightsExternal',
    'POST /api/v1/copy_weights tinker.copyWeights',
    'POST /api/v1/create_custom_loss tinker.createCustomLoss',
    'POST /v1/preview/training-data trainingData.create',
    'GET /v1/preview/training-jobs/{job_id}/events trainingEvents.list',
    'POST /v1/files trainingFiles.create',
    'GET /v1/files trainingFiles.list',
    'GET /v1/files/{file_id} trainingFiles.read',
    'GET /v1/files/{file_id}/content trainingFiles.content',
    'DELETE /v1/files/{file_id} trainingFiles.delete',
    'POST /v1/preview/training-jobs trainingJobs.create',
    'POST /v1/preview/sft-training-jobs trainingJobs.createSft',
    'POST /v1/preview/sft-training-jobs/estimate trainingJobs.estimateSft',
    'GET /v1/preview/training-jobs trainingJobs.list',
    'GET /v1/preview/training-jobs/{job_id} trainingJobs.read',
    'POST /v1/preview/training-jobs/{job_id}/cancel trainingJobs.cancel',
    'POST /v1/preview/models/{model_id}/log trajectories.log',
    'GET /v1/preview/models/{model_id}/trajectories trajectories.list',
  ])
  expect(training.chatCompletions.create.aliases).toEqual(['/v1/chat/completions/'])
})

test('every operation needs an API key', () => {
  expect(operations.filter(({ operation }) => operation.open)).toEqual([])
})

describe.each(operations)('$name', ({ operation }) => {
  test('declares every parameter of its path and one kind of body at most', () => {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(named)
    expect([operation.body, operation.multipart, operation.bytes].filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('describes every field that a caller gives', () => {
    const fields = [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      Object.entries(part?.shape ?? {}),
    )
    expect(fields.filter(([, field]) => !field.description).map(([name]) => name)).toEqual([])
  })
})

test('the length of every list and every dictionary of a body is checked before its entries', () => {
  const places = operations.flatMap(({ name, operation }) => (operation.body ? unboundedSchemas(operation.body, name) : []))
  expect(places).toEqual([])
})

test('every list and every dictionary of a request has a documented maximum', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      part === undefined ? [] : unboundedPlaces(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places).toEqual([])
})

test('every id, name and reference of a request has a documented maximum; texts without one have a reason', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body].flatMap((part) =>
      part === undefined ? [] : unboundedTexts(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places.filter((place) => !Object.hasOwn(unboundedProperties, place.split('.').at(-1)!))).toEqual([])
})

const choice = { finish_reason: 'stop', index: 0, message: { role: 'assistant', content: 'hi' }, logprobs: null }
const pathsOf = (value: unknown) => {
  const { error } = Trajectory.safeParse(value)
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}

describe('a trajectory', () => {
  test('has a default for every field', () => {
    expect(Trajectory.parse({})).toEqual({
      messages_and_choices: [],
      tools: null,
      additional_histories: [],
      reward: 0,
      initial_policy_version: null,
      final_policy_version: null,
      metrics: {},
      metadata: {},
      logs: [],
      start_time: null,
    })
  })

  test('takes null for what is not given', () => {
    expect(pathsOf({ messages_and_choices: null, tools: null, metrics: null, logs: null, start_time: null })).toEqual([])
  })

  test('keeps the further keys of messages and choices', () => {
    const message = { role: 'tool', content: '4', tool_call_id: 'c', name: 'add' }
    const sampled = { ...choice, art_completion_tokens: 3, message: { ...choice.message, annotations: null } }
    const { messages_and_choices } = Trajectory.parse({ messages_and_choices: [message, sampled] })
    expect(messages_and_choices).toEqual([expect.objectContaining(message), expect.objectContaining({ art_completion_tokens: 3 })])
  })

  test.each([
    ['a reward that is not a number', { reward: 'NaN' }, 'reward'],
    ['a reward of null, which JavaScript writes for NaN', { reward: null }, 'reward'],
    ['an infinite reward', { reward: '-Infinity' }, 'reward'],
    ['metadata that is nested', { metadata: { a: 1, b: { c: 2 } } }, 'metadata.b'],
    ['a metric that is a text', { metrics: { a: 'x' } }, 'metrics.a'],
    ['a metric beyond the numbers of JavaScript', { metrics: { a: 1, b: JSON.parse('1e999') } }, 'metrics.b'],
    ['metadata beyond them', { metadata: { a: -Infinity } }, 'metadata.a'],
    ['an element that is neither message nor choice', { messages_and_choices: [{ text: 'hi' }] }, 'messages_and_choices.0'],
    ['a message of an unknown role', { messages_and_choices: [{ role: 'robot' }] }, 'messages_and_choices.0.role'],
    ['a choice without the reason of its end', { messages_and_choices: [{ message: {} }] }, 'messages_and_choices.0.finish_reason'],
    [
      'a log-probability above 0',
      { messages_and_choices: [{ ...choice, logprobs: { content: [{ token: 'a', logprob: 0.5 }] } }] },
      'messages_and_choices.0.logprobs.content.0.logprob',
    ],
  ])('is refused for %s', (_, value, path) => {
    expect(pathsOf(value)).toEqual([path])
  })

  test('may have log-probabilities that rounding made positive, and the mark for those that were not computed', () => {
    const content = [0.0005, -9999].map((logprob) => ({ token: 'token_id:1', logprob, bytes: null, top_logprobs: [] }))
    expect(pathsOf({ messages_and_choices: [{ ...choice, logprobs: { content, refusal: null } }] })).toEqual([])
  })
})

test('a group keeps what clients send beside its trajectories', () => {
  const group = { trajectories: [{}], exceptions: [{ type: 'E', message: 'm', traceback: 't' }], metadata: { scenario_id: 7 }, extra: 1 }
  expect(TrajectoryGroup.parse(group)).toMatchObject({ exceptions: [{ type: 'E' }], metadata: { scenario_id: 7 }, extra: 1, metrics: {} })
})
