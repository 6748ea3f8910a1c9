import { randomUUID } from 'node:crypto'
import '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addCheckpoint } from '../../testing/add-checkpoint.ts'
import { aTrajectory } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../../testing/until-ended.ts'
import { findTeacher } from './find-teacher.ts'

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp({ service: { settleEveryMs: 50 } })
})
afterAll(() => app.close())

const rows = { packed_sequence_length: null, logprob_calculation_chunk_size: null }

async function aModel(project: string, name: string): Promise<string> {
  return (await app.client.models.create({ project, name, base_model: 'table' })).id
}

/** Attempts whose rewards are equal, so that nothing but a teacher can teach. */
const attempts = (...texts: string[]) => texts.map((text) => ({ trajectories: [aTrajectory(text, 0)] }))

const distill = (model_id: string, distillation_teacher: string) =>
  app.client.trainingJobs.create({
    model_id,
    trajectory_groups: attempts('a', 'b', 'c'),
    experimental_config: { ...rows, distillation_teacher, learning_rate: 0.05 },
  })

test('a student learns from what a checkpoint of another model thinks of its attempts, whatever their rewards', async () => {
  const project = `p-${randomUUID()}`
  const [teacher, student] = [await aModel(project, 'teacher'), await aModel(project, 'student')]
  const trajectory_groups = [{ trajectories: [aTrajectory('a', 1), aTrajectory('b', 0)] }]
  const taught = await app.client.trainingJobs.create({ model_id: teacher, trajectory_groups, experimental_config: rows })
  expect(await untilEnded(app.client, taught.id)).toMatchObject({ status: 'succeeded', step: 1 })
  const losses: number[] = []
  for (let job = 1; job <= 3; job++) {
    const { id } = await distill(student, `local/${project}/teacher:step1`)
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: job, message: null })
    const events = await allEvents(app.client, id)
    expect(events[0]!.data).toMatchObject({ config: { distillation_teacher: `local/${project}/teacher:step1` } })
    losses.push(Math.abs(Number(events[1]!.data['policy_loss'])))
  }
  expect(losses[0]).toBeGreaterThan(0.01)
  expect(losses[2]).toBeLessThan(losses[0]!)
})

test('a base model may be the teacher; where the student is the same, nothing moves', async () => {
  const { id } = await distill(await aModel(`p-${randomUUID()}`, 'student'), 'table')
  expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: 1 })
  expect((await allEvents(app.client, id))[1]!.data).toMatchObject({ policy_loss: 0, grad_norm: 0 })
})

test.each([
  ['no-such-model', 'distillation_teacher "no-such-model" is neither a base model (table) nor a model of local/'],
  ['local/elsewhere/student', 'distillation_teacher "local/elsewhere/student" is neither'],
])('the teacher %s is refused when the job is created', async (teacher, message) => {
  const student = await aModel(`p-${randomUUID()}`, 'student')
  await expect(distill(student, teacher)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
})

test('a checkpoint that is not there is refused, and so is a teacher beside a penalty', async () => {
  const project = `p-${randomUUID()}`
  const student = await aModel(project, 'student')
  await expect(distill(student, `local/${project}/student:step7`)).rejects.toMatchObject({ status: 400 })
  const config = { distillation_teacher: 'table', kl_penalty_coef: 0.1 }
  const both = app.client.trainingJobs.create({ model_id: student, trajectory_groups: attempts('a'), experimental_config: config })
  const message = 'kl_penalty_coef 0.1 and distillation_teacher "table" exclude each other; send one of them'
  await expect(both).rejects.toMatchObject({ status: 400, message })
})

test('a job that fits alone and not with its teacher is refused when it is created, with both figures', async () => {
  const project = `p-${randomUUID()}`
  const [teacher, student] = [await aModel(project, 'teacher'), await aModel(project, 'student')]
  await addCheckpoint(app, teacher, 1)
  const ofTeacher = vi.spyOn(app.engine, 'estimateTraining').mockImplementation(async ({ reference }) => ({
    weights: 0,
    training: 0,
    activations: 0,
    process: 0,
    machine: null,
    limit: 2 ** 30,
    needed: reference ? 2 ** 31 : 2 ** 20,
  }))
  try {
    for (const name of ['table', `local/${project}/teacher:step1`])
      await expect(distill(student, name)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(
          'needs 2048 MiB of memory for models, and this server has 1024 MiB (HEDDLE_TRAINING_MEMORY_BYTES); choose a smaller teacher',
        ),
      })
    expect(ofTeacher.mock.calls.map(([{ reference }]) => reference)).toEqual(
      ['base', 'whole'].map((weights) => ({ baseModel: 'table', weights })),
    )
  } finally {
    ofTeacher.mockRestore()
  }
})

test('a teacher with another vocabulary is refused by its base model', async () => {
  const [student] = await app.engine.baseModels()
  const [, shipped] = [
    student!,
    { ...student!, id: 'other', folder: new URL('../../../base-models/heddle-nano', import.meta.url).pathname },
  ]
  const engine = { baseModels: async () => [student!, shipped] }
  const nothing = {
    models: { findByName: async () => undefined },
    checkpoints: { find: async () => undefined, findNewest: async () => undefined },
  }
  const project = { id: 'local/p' } as Parameters<typeof findTeacher>[1]['project']
  expect(await findTeacher('other', { student: student!, project }, { ...nothing, engine })).toEqual({
    problem:
      'distillation_teacher "other" has the base model other, whose vocabulary differs from that of table; choose a teacher with the same tokenizer.json',
  })
})
