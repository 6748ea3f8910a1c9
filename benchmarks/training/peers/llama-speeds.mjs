import { pathToFileURL } from 'node:url'

/**
 * Samples with llama.cpp, as its npm package runs it. `node llama-speeds.mjs <package> <json>`, where the JSON has `models` (`name`, `path`, and tokens of a
 * `prompt`, completions `together`, tokens `sampled` of each), `threads`, `rounds` and `clock`; writes a list of speeds in tokens a second, and the tokens that each model takes as the likeliest.
 */
const [packageEntry = '', asked = ''] = process.argv.slice(2)
const { getLlama } = await import(pathToFileURL(packageEntry).href)
const { models, threads: threadCounts, rounds, clock } = JSON.parse(asked)
const prompt = [1, 2, 3, 4, 5, 6, 7, 8]

const now = () => {
  if (clock === 'wall') return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const llama = await getLlama({ build: 'never', gpu: false, logLevel: 'error', maxThreads: Math.max(...threadCounts) })

async function complete(sequence, { count, temperature, seed, tokens: input = prompt }) {
  await sequence.clearHistory()
  const tokens = []
  for await (const token of sequence.evaluate(input, { temperature, seed, yieldEogToken: true })) {
    tokens.push(token)
    if (tokens.length === count) break
  }
  return tokens
}

/** Tokens a second of completions that are sampled together, in the fastest of several rounds. */
async function measure(model, { streams, threads, sampled }) {
  const context = await model.createContext({ contextSize: 160, sequences: streams, threads })
  const sequences = Array.from({ length: streams }, () => context.getSequence())
  let best = 0
  for (let round = 0; round <= rounds; round++) {
    const since = now()
    await Promise.all(sequences.map((sequence, seed) => complete(sequence, { count: sampled, temperature: 1, seed: seed + 1 })))
    best = Math.max(best, (streams * sampled * 1_000) / (now() - since))
  }
  await context.dispose()
  return best
}

/** Tokens a second of a prompt, up to the first token after it. */
async function measureReading(model, { length, threads }) {
  const context = await model.createContext({ contextSize: length + 8, batchSize: length, sequences: 1, threads })
  const sequence = context.getSequence()
  const tokens = Array.from({ length }, (_, i) => (i * 31) % 256)
  let best = 0
  for (let round = 0; round <= rounds; round++) {
    const since = now()
    await complete(sequence, { count: 1, temperature: 1, seed: 1, tokens })
    best = Math.max(best, (length * 1_000) / (now() - since))
  }
  await context.dispose()
  return best
}

async function likeliest(model) {
  const context = await model.createContext({ contextSize: 160, sequences: 1, threads: 1 })
  const tokens = await complete(context.getSequence(), { count: 16, temperature: 0, seed: 1 })
  await context.dispose()
  return tokens
}

const speeds = []
for (const { name, path, prompt: length, together, sampled } of models) {
  const model = await llama.loadModel({ modelPath: path })
  const greedy = await likeliest(model)
  for (const threads of threadCounts) {
    const read = await measureReading(model, { length, threads })
    const sample1 = await measure(model, { streams: 1, threads, sampled })
    speeds.push({ preset: name, threads, read, sample1, sampleMany: await measure(model, { streams: together, threads, sampled }), greedy })
  }
  await model.dispose()
}
process.stdout.write(`${JSON.stringify(speeds)}\n`)
process.exit(0)
