import { pathToFileURL } from 'node:url'

/**
 * Samples with llama.cpp, as its npm package runs it. `node llama-speeds.mjs <package> <json>`, where the JSON has `models` (`name`, `path`), `threads` and
 * `rounds`; writes a list of speeds in tokens a second, and the tokens that each model takes as the likeliest.
 */
const [packageEntry = '', asked = ''] = process.argv.slice(2)
const { getLlama } = await import(pathToFileURL(packageEntry).href)
const { models, threads: threadCounts, rounds } = JSON.parse(asked)
const prompt = [1, 2, 3, 4, 5, 6, 7, 8]
const sampledTokens = 120

const llama = await getLlama({ build: 'never', gpu: false, logLevel: 'error', maxThreads: Math.max(...threadCounts) })

async function complete(sequence, { count, temperature, seed }) {
  await sequence.clearHistory()
  const tokens = []
  for await (const token of sequence.evaluate(prompt, { temperature, seed, yieldEogToken: true })) {
    tokens.push(token)
    if (tokens.length === count) break
  }
  return tokens
}

/** Tokens a second of completions that are sampled together, in the fastest of several rounds. */
async function measure(model, { streams, threads }) {
  const context = await model.createContext({ contextSize: 160, sequences: streams, threads })
  const sequences = Array.from({ length: streams }, () => context.getSequence())
  let best = 0
  for (let round = 0; round <= rounds; round++) {
    const since = performance.now()
    await Promise.all(sequences.map((sequence, seed) => complete(sequence, { count: sampledTokens, temperature: 1, seed: seed + 1 })))
    best = Math.max(best, (streams * sampledTokens * 1_000) / (performance.now() - since))
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
for (const { name, path } of models) {
  const model = await llama.loadModel({ modelPath: path })
  const greedy = await likeliest(model)
  for (const threads of threadCounts) {
    const sample1 = await measure(model, { streams: 1, threads })
    speeds.push({ preset: name, threads, sample1, sample16: await measure(model, { streams: 16, threads }), greedy })
  }
  await model.dispose()
}
process.stdout.write(`${JSON.stringify(speeds)}\n`)
process.exit(0)
