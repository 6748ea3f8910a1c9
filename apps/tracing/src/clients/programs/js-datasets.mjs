import { Dataset, init, op } from 'weave'

const [project, rowCount] = process.argv.slice(2)
const client = await init(project, { printCallLink: false })

// Keys of several kinds, repeated rows, and texts beyond ASCII.
const rowOf = (index) => ({
  id: String(index % (rowCount - 1)),
  question: `What is ${index % (rowCount - 1)}? 世界`,
  score: 0.5,
  tags: ['a', { deep: null }],
})
const dataset = new Dataset({
  name: 'questions',
  description: 'many',
  rows: Array.from({ length: Number(rowCount) }, (_, index) => rowOf(index)),
})
const ref = await dataset.save()
await client.waitForBatchProcessing()

const answer = op(async ({ example }) => `answer to ${example.id}`, { name: 'answer' })
await answer({ example: dataset.getRow(1) })
const rowRef = (await dataset.getRow(1).__savedRef).uri()
await client.waitForBatchProcessing()

const loaded = await client.get(ref)
const same = []
for await (const row of loaded) same.push(row)
const [call] = await client.getCalls({ op_names: [(await client.getCalls())[0].op_name] })
const seen = {
  ref: ref.uri(),
  rowRef,
  length: loaded.length,
  isDataset: loaded instanceof Dataset,
  name: loaded.name,
  firstWrong: same.findIndex((row, index) => JSON.stringify({ ...row, __savedRef: undefined }) !== JSON.stringify(rowOf(index))),
  input: call.inputs,
}
process.stdout.write(`\n${JSON.stringify(seen)}`)
