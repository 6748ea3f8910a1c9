import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { shippedModelsFolder } from '../src/base-models/shipped-models.ts'
import { evaluateModel } from './evaluate-model.ts'
import { loadCompletingModel } from './local-training.ts'
import { modelCard } from './model-card.ts'
import type { PretrainingReport } from './pretrain-model.ts'

describe.each(readdirSync(shippedModelsFolder))('%s', (id) => {
  const folder = join(shippedModelsFolder, id)
  const report = JSON.parse(readFileSync(join(folder, 'pretraining.json'), 'utf8')) as PretrainingReport

  test('answers as often as its report says', () => {
    const mean = (accuracies: PretrainingReport['accuracies'], key: 'greedy' | 'sampled') =>
      accuracies.reduce((sum, each) => sum + each[key], 0) / accuracies.length
    const measured = evaluateModel(loadCompletingModel(folder), inject('long') ? 100 : 6)
    for (const key of ['greedy', 'sampled'] as const) expect(Math.abs(mean(measured, key) - mean(report.accuracies, key))).toBeLessThan(0.1)
  })

  test('has the model card of its report', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(modelCard(report))
  })
})
