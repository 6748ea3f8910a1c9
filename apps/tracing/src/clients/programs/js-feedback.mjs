import { EvaluationLogger, init } from 'weave'

await init(process.argv[2], { printCallLink: false })

const evaluation = new EvaluationLogger({ name: 'questions', model: { name: 'guess' } })
for (const [question, output, accuracy] of [
  ['Why?', 'because', 0.95],
  ['How?', 'so', 0.25],
]) {
  const prediction = await evaluation.logPrediction({ question }, output)
  await prediction.logScore('accuracy', accuracy)
  await prediction.logScore('verdict', { ok: accuracy > 0.5, words: ['one'] })
  await prediction.finish()
}
await evaluation.logSummary({ mean: 0.6 })
process.stdout.write('\n{}')
