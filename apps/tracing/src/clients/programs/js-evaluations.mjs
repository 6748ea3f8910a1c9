import { Dataset, Evaluation, EvaluationLogger, init, op } from 'weave'

const client = await init(process.argv[2], { printCallLink: false })

// The client marks rows of a dataset that it has stored: a logger then sends references to them.
const makeRows = () => [
  { question: 'one', expected: 'ONE' },
  { question: 'two words', expected: 'two words' },
  { question: 'three', expected: 'THREE', isHard: true },
]
const tokensOf = (text) => ({ usage: { letters: { total_tokens: String(text).length, requests: 1 } } })
const exact = op(({ datasetRow, modelOutput }) => ({ match: modelOutput === datasetRow.expected, off: modelOutput.length / 2 }), {
  name: 'exact',
})
const length = op(({ modelOutput }) => modelOutput.length, { name: 'length' })
const verdict = op(({ datasetRow }) => (datasetRow.isHard ? null : 'easy'), { name: 'verdict' })
const fragile = op(
  ({ datasetRow }) => {
    if (datasetRow.isHard) throw new Error('cannot judge')
    return datasetRow.question.length > 5
  },
  { name: 'fragile' },
)
const upper = op(async ({ datasetRow }) => datasetRow.question.toUpperCase(), { name: 'upper', summarize: tokensOf })
const flaky = op(
  async ({ datasetRow }) => {
    if (datasetRow.isHard) throw new Error('cannot answer')
    return datasetRow.question
  },
  { name: 'flaky', summarize: tokensOf },
)

const dataset = new Dataset({ name: 'questions', rows: makeRows() })
const evaluation = new Evaluation({ name: 'declared', dataset, scorers: [exact, length, verdict, fragile] })
await evaluation.evaluate({ model: upper, nTrials: 3 })
await evaluation.evaluate({ model: flaky, nTrials: 2, maxConcurrency: 1 })

for (const [name, factor] of [
  ['first', 1],
  ['second', 2],
]) {
  const logger = new EvaluationLogger({ name: `logged-${name}`, model: { name }, dataset: 'questions' })
  for (const row of makeRows().slice(0, factor + 1)) {
    for (let trial = 0; trial < factor; trial++) {
      const prediction = await logger.logPrediction(row, `${row.question} ${trial}`)
      await prediction.logScore('length', row.question.length * factor)
      await prediction.logScore('exact', { match: trial === 0 && !row.isHard })
      await prediction.finish()
    }
  }
  await logger.logSummary({ note: name })
}
await client.waitForBatchProcessing()
process.stdout.write('\n{}')
