import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { modelCard } from './model-card.ts'
import { planOf } from './plans.ts'
import { pretrainModel } from './pretrain-model.ts'

/*
 * npx tsx pretraining/run.ts heddle-nano --folder <path> [--steps <number>] [--exercises <number>]
 *
 * Pretrains a base model on the data of this folder. It keeps its state in --folder, so that the same command continues after an interruption, and leaves in
 * `weights` there what belongs into the folder of the model: weights, report and model card.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    steps: { type: 'string' },
    exercises: { type: 'string', default: '200' },
    'state-seconds': { type: 'string', default: '120' },
  },
})

const [model = ''] = positionals
if (values.folder === undefined) throw new Error('--folder is missing: where the run keeps its state and results')
const folder = resolve(values.folder)
const plan = planOf(model, values.steps === undefined ? undefined : Number(values.steps))
const report = await pretrainModel({
  plan,
  folder,
  exercisesPerTask: Number(values.exercises),
  stateEveryMs: Number(values['state-seconds']) * 1_000,
  say: (line) => process.stdout.write(`${line}\n`),
})
writeFileSync(join(folder, 'weights', 'pretraining.json'), `${JSON.stringify(report)}\n`)
writeFileSync(join(folder, 'weights', 'README.md'), modelCard(report))
