import { expect, test } from 'vitest'
import { linearNames } from '../checkpoint-files/model-tensors.ts'
import { chooseAdapter } from './choose-adapter.ts'

const base = { id: 'heddle-nano', adapter: { rank: 8, alpha: 16 } }
const there = { rank: 4, alpha: 8 }
const some = { ...there, modules: ['q_proj', 'v_proj'] as const }
const none = { base, there: null, rank: null, modules: null, choosesModules: true, maxRank: 256 }

test.each([
  ['that of the base model where nothing else is said', {}, base.adapter],
  ['a new one of the rank of the job, whose alpha keeps its ratio', { rank: 32 }, { rank: 32, alpha: 64 }],
  ['a new one of the highest rank', { rank: 256 }, { rank: 256, alpha: 512 }],
  ['that of the weights where the job begins', { there }, there],
  ['the same with its rank', { there, rank: 4 }, there],
  ['one that is there, although its rank is higher than that of new ones may be', { there, maxRank: 2 }, there],
  [
    'a new one of some linear layers, in their order',
    { modules: ['v_proj', 'q_proj'] },
    { ...base.adapter, modules: ['q_proj', 'v_proj'] },
  ],
  ['one of all where all are named', { modules: [...linearNames], choosesModules: false }, base.adapter],
  ['that of the weights with its layers', { there: some, modules: ['v_proj', 'q_proj'] }, some],
  ['none where every weight is trained', { base: { ...base, adapter: null } }, null],
])('a job trains %s', (_, choice, adapter) => {
  expect(chooseAdapter({ ...none, ...choice })).toEqual({ adapter })
})

test.each([
  [
    'a rank beyond the highest',
    { rank: 257 },
    'rank 257: this server trains adapters of rank 256 at most; choose a lower rank, or raise HEDDLE_TRAINING_MAX_RANK',
  ],
  ['a rank of the base model beyond the highest', { maxRank: 4 }, 'rank 8 of heddle-nano: this server trains adapters of rank 4 at most'],
  [
    'another rank than that of the adapter that is there',
    { there, rank: 8 },
    'rank 8: the model already has an adapter of rank 4, and its training continues with that; leave rank out, or train a new model with rank 8',
  ],
  [
    'other linear layers than those of the adapter that is there',
    { there: some, modules: ['q_proj'] },
    'target_modules q_proj: the model already has an adapter of q_proj, v_proj, and its training continues with that',
  ],
  ['some linear layers where the adapter that is there has all', { there, modules: ['q_proj'] }, 'an adapter of q_proj, k_proj, v_proj'],
  [
    'some linear layers on a server that trains all',
    { modules: ['q_proj'], choosesModules: false },
    'target_modules q_proj: the training server trains adapters of all linear layers; leave target_modules out',
  ],
  ['linear layers where every weight is trained', { base: { ...base, adapter: null }, modules: ['q_proj'] }, 'leave target_modules out'],
  [
    'a rank where every weight is trained',
    { base: { ...base, adapter: null }, rank: 8 },
    'rank 8: models from heddle-nano have no adapter, since every weight is trained; leave rank out',
  ],
])('%s is a problem that says the way out', (_, choice, problem) => {
  expect(chooseAdapter({ ...none, ...choice })).toEqual({ problem: expect.stringContaining(problem) as string })
})
