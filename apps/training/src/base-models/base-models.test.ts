import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { codeIn } from '@heddle/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listBaseModels } from './list-base-models.ts'
import { KernelMemory, OutOfMemoryError } from '../engine/embedded/kernels/kernel-memory.ts'
import { allocateAdapter, loadModel } from '../engine/embedded/model/model-weights.ts'
import { allocateCache } from '../engine/embedded/sampling/key-value-cache.ts'
import { createTrainedModel } from '../engine/embedded/training/trained-model.ts'
import { Trainer } from '../engine/embedded/training/trainer.ts'
import { finish } from '../engine/embedded/work.ts'
import { openExport } from '../model-export/export-files.ts'
import { estimateMemory } from './memory-estimate.ts'
import { type DescribedModel, readBaseModel } from './read-base-model.ts'
import { readRemoteModel } from './read-remote-model.ts'
import { shippedModelsFolder } from './shipped-models.ts'
import { tinyConfig, writeModelFolder } from './testing/model-folder.ts'

let own: string
let shipped: string

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'heddle-own-models-'))
  shipped = mkdtempSync(join(tmpdir(), 'heddle-shipped-models-'))
})
afterEach(() => {
  for (const folder of [own, shipped]) rmSync(folder, { recursive: true, force: true })
})

describe('a folder in the Hugging Face layout', () => {
  test('is a base model under its name, with rates for its size and an adapter', () => {
    const folder = writeModelFolder(own, 'tiny-1.0_a')
    expect(readBaseModel(folder)).toMatchObject({
      id: 'tiny-1.0_a',
      folder,
      parameters: 512 * 16 + (2 * 16 * 8 * 3 + 3 * 16 * 24 + 2 * 16) + 16,
      contextLength: 64,
      adapter: { rank: 8, alpha: 16 },
      learningRates: { rl: 2e-3, sft: 5e-3 },
    })
  })

  test('is trained as the example of the README says', () => {
    const readme = readFileSync(new URL('../../../../apps/heddle/README.md', import.meta.url), 'utf8')
    const example = codeIn(readme, 'json').find((code) => code.includes('learning_rates')) ?? ''
    const folder = writeModelFolder(own, 'documented', { files: { 'heddle.json': example } })
    expect(readBaseModel(folder)).toMatchObject({ learningRates: { rl: 0.001, sft: 0.001 }, adapter: { rank: 8, alpha: 16 } })
  })

  test('may say itself how it is trained', () => {
    const settings = { learning_rates: { rl: 0.002, sft: 0.001 }, adapter: null }
    const folder = writeModelFolder(own, 'tiny', { files: { 'heddle.json': JSON.stringify(settings) } })
    expect(readBaseModel(folder)).toMatchObject({ adapter: null, learningRates: { rl: 0.002, sft: 0.001 } })
  })

  test('may have its chat template in a file of its own', () => {
    const files = { 'tokenizer_config.json': '{}', 'chat_template.jinja': '{{ messages }}' }
    expect(readBaseModel(writeModelFolder(own, 'tiny', { files }))).toMatchObject({ id: 'tiny' })
  })

  test.each([
    ['another kind of model', { config: { model_type: 'gpt2' } }, /"model_type" in .*config\.json/],
    ['scaled positions', { config: { rope_scaling: { type: 'linear' } } }, /"rope_scaling\.type" in .*config\.json is "linear"/],
    ['a bias that is not in the file', { config: { attention_bias: true } }, /no tensor "model\.layers\.0\.self_attn\.q_proj\.bias"/],
    [
      'a tensor that its configuration does not use',
      { shapes: { 'model.layers.0.self_attn.q_proj.bias': [16] } },
      /tensor "model\.layers\.0\.self_attn\.q_proj\.bias" .*config\.json.* does not use/,
    ],
    ['a missing tensor', { shapes: { 'model.norm.weight': null } }, /no tensor "model\.norm\.weight"/],
    ['a tensor of another shape', { shapes: { 'model.norm.weight': [8] } }, /"model\.norm\.weight" .*\[8\].*\[16\]/],
    ['a missing output projection', { config: { tie_word_embeddings: false } }, /no tensor "lm_head\.weight"/],
    ['a token beyond the vocabulary', { config: { vocab_size: 500 } }, /tensor|id 511; "vocab_size" in config\.json is 500/],
    ['no chat template', { files: { 'tokenizer_config.json': '{}' } }, /tokenizer_config\.json has no "chat_template"/],
    ['a tokenizer that is not JSON', { files: { 'tokenizer.json': '{' } }, /tokenizer\.json is not JSON/],
    ['an unknown setting', { files: { 'heddle.json': '{"learning_rate": 1}' } }, /heddle\.json does not fit: .*learning_rate/],
    ['a rate that is none', { files: { 'heddle.json': '{"learning_rates":{"rl":2,"sft":1}}' } }, /"learning_rates\.rl" in .*heddle\.json/],
  ])('with %s is refused with the key that does not fit', (_, changes, message) => {
    const folder = writeModelFolder(own, 'tiny', changes)
    expect(() => readBaseModel(folder)).toThrow(message)
  })

  test('without weights is refused with the file that is missing', () => {
    const folder = writeModelFolder(own, 'tiny')
    rmSync(join(folder, 'model.safetensors'))
    expect(() => readBaseModel(folder)).toThrow('neither model.safetensors nor')
  })

  test('whose weights a training server has needs none here, and may be of a family that is not computed here', () => {
    const folder = writeModelFolder(own, 'tiny')
    const { parameters } = readBaseModel(folder)
    rmSync(join(folder, 'model.safetensors'))
    expect(readRemoteModel(folder)).toMatchObject({ id: 'tiny', parameters, contextLength: 64, learningRates: { rl: 2e-3, sft: 5e-3 } })
    const setConfig = (config: object) => writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    setConfig({ ...tinyConfig, model_type: 'other' })
    expect(readRemoteModel(folder)).toMatchObject({ parameters: null, contextLength: 64, learningRates: { rl: 1e-5, sft: 1e-4 } })
    setConfig({ model_type: 'other', text_config: { vocab_size: 600, max_position_embeddings: 4_096 } })
    expect(readRemoteModel(folder)).toMatchObject({ parameters: null, contextLength: 4_096 })
    setConfig({ ...tinyConfig, vocab_size: 500 })
    expect(() => readRemoteModel(folder)).toThrow('id 511; "vocab_size" in config.json is 500')
    setConfig({ model_type: 'other', vocab_size: 512 })
    expect(() => readRemoteModel(folder)).toThrow('config.json needs "max_position_embeddings" and "vocab_size"')
  })

  test('with a GGUF file needs the tokenizer beside it', async () => {
    const source = writeModelFolder(own, 'source')
    const folder = join(own, 'gguf')
    mkdirSync(folder)
    const model = { name: 'tiny', baseModel: 'tiny', step: 0, metrics: {}, job: null }
    const { files, close } = await openExport({ base: source, checkpoint: null, model, format: 'gguf', numbers: 'f16' })
    for (const { name, content } of files) writeFileSync(join(folder, name), await buffer(Readable.from(content())))
    close()
    expect(readBaseModel(folder)).toMatchObject({ id: 'gguf', parameters: readBaseModel(source).parameters, contextLength: 64 })
    rmSync(join(folder, 'tokenizer.json'))
    expect(() => readBaseModel(folder)).toThrow(/model-f16\.gguf has no tokenizer\.json beside it: put tokenizer\.json/)
  })

  test('with numbers in another format is refused with the tensor', () => {
    const folder = writeModelFolder(own, 'tiny')
    const header = JSON.stringify({ 'model.embed_tokens.weight': { dtype: 'I8', shape: [512, 16], data_offsets: [0, 512 * 16] } })
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(header.length))
    writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([length, Buffer.from(header), Buffer.alloc(512 * 16)]))
    expect(() => readBaseModel(folder)).toThrow(/"model\.embed_tokens\.weight" .* is in I8; F32, BF16 and F16 are read/)
  })

  test('under a name that is not an id is refused', () => {
    expect(() => readBaseModel(writeModelFolder(own, 'a model'))).toThrow('the folder name "a model" is not a model id')
  })
})

describe('the list', () => {
  test('has the shipped models and the own ones, ordered by id, and names the folders that are none', async () => {
    writeModelFolder(shipped, 'b-model')
    writeModelFolder(own, 'a-model')
    writeModelFolder(own, 'b-model')
    mkdirSync(join(own, 'empty'))
    mkdirSync(join(own, '.cache'))
    const { models, refused } = await listBaseModels({ shipped, own })
    expect(models.map(({ id, folder }) => [id, folder])).toEqual([
      ['a-model', join(own, 'a-model')],
      ['b-model', join(shipped, 'b-model')],
    ])
    expect(refused).toEqual([
      { folder: join(own, 'b-model'), reason: 'there is another model "b-model": rename this folder' },
      { folder: join(own, 'empty'), reason: expect.stringContaining('config.json cannot be read') as string },
    ])
  })

  test('skips the tokenizer check of bundled models when asked to, and still checks the tokenizers of user models', async () => {
    const broken = { files: { 'chat_template.jinja': '{% for %}' } }
    writeModelFolder(shipped, 'b-model', broken)
    writeModelFolder(own, 'a-model', broken)
    const untried = await listBaseModels({ shipped, own, triesShipped: false })
    expect([untried.models.map(({ id }) => id), untried.refused.map(({ folder }) => folder)]).toEqual([['b-model'], [join(own, 'a-model')]])
    expect((await listBaseModels({ shipped, own })).models).toEqual([])
  })

  test('of the shipped models refuses none, with a trial of all their tokenizers', async () => {
    const { models, refused } = await listBaseModels({ shipped: shippedModelsFolder, own: null })
    expect([models.map(({ id }) => id), refused]).toEqual([['heddle-micro', 'heddle-nano'], []])
  })

  test('of a directory that is missing is an error that names it', async () => {
    await expect(listBaseModels({ shipped, own: join(own, 'nothing') })).rejects.toThrow(join(own, 'nothing'))
  })
})

const tokenizerJson = JSON.parse(readFileSync(join(shippedModelsFolder, 'heddle-nano', 'tokenizer.json'), 'utf8')) as Record<
  string,
  unknown
>
const withTokenizer = (changes: Record<string, unknown>) => ({
  files: { 'tokenizer.json': JSON.stringify({ ...tokenizerJson, ...changes }) },
})
const withTemplate = (template: string) => ({ files: { 'chat_template.jinja': template } })
const index = JSON.stringify({ weight_map: { 'model.norm.weight': 'model-00001-of-00002.safetensors' } })

describe('a damaged folder is named with the reason, and the others are listed', () => {
  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'a shard that is missing',
      (folder) => replaceWeights(folder, { 'model.safetensors.index.json': index }),
      /model-00001-of-00002\.safetensors is missing$/,
    ],
    ['an index that is not one', (folder) => replaceWeights(folder, { 'model.safetensors.index.json': 'null' }), /no "weight_map"/],
    ['a folder for weights', (folder) => replaceWithFolder(join(folder, 'model.safetensors')), /model\.safetensors/],
    [
      'a pipe for weights',
      (folder) => replaceWithPipe(join(folder, 'model.safetensors')),
      /model\.safetensors cannot be read: it is not a file/,
    ],
    [
      'a pipe for a configuration',
      (folder) => replaceWithPipe(join(folder, 'config.json')),
      /config\.json cannot be read: it is not a file/,
    ],
    [
      'a pipe for a tokenizer',
      (folder) => replaceWithPipe(join(folder, 'tokenizer.json')),
      /tokenizer\.json cannot be read: it is not a file/,
    ],
    ['empty weights', (folder) => writeFileSync(join(folder, 'model.safetensors'), ''), /is not a safetensors file/],
    ['a folder for a configuration', (folder) => replaceWithFolder(join(folder, 'config.json')), /config\.json/],
    ['no tokenizer', (folder) => rmSync(join(folder, 'tokenizer.json')), /tokenizer\.json cannot be read/],
    ['no settings of the tokenizer', (folder) => rmSync(join(folder, 'tokenizer_config.json')), /tokenizer_config\.json cannot be read/],
    ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'heddle.json', 'generation_config.json'].flatMap((name) =>
      ['null', '[]', '1', '{"a":', ''].map((text): [string, (folder: string) => void, RegExp] => [
        `${JSON.stringify(text)} for ${name}`,
        (folder) => writeFileSync(join(folder, name), text),
        new RegExp(name.replace('.', '\\.')),
      ]),
    ),
    ['a link that leads nowhere', (folder) => (rmSync(folder, { recursive: true }), symlinkSync(join(folder, 'x'), folder)), /tiny/],
    ['a link to a file', (folder) => (rmSync(folder, { recursive: true }), symlinkSync(import.meta.filename, folder)), /tiny/],
  ])('%s', async (_name, damage, reason) => {
    writeModelFolder(own, 'sound')
    damage(writeModelFolder(own, 'tiny'))
    const { models, refused } = await listBaseModels({ shipped, own })
    expect(models.map(({ id }) => id)).toEqual(['sound'])
    expect(refused).toEqual([{ folder: join(own, 'tiny'), reason: expect.stringMatching(reason) as string }])
    expect(refused[0]!.reason).toContain(join(own, 'tiny'))
  })

  test.each<[string, Parameters<typeof writeModelFolder>[2], RegExp]>([
    ['a template that does not parse', withTemplate('{% for %}'), /chat_template\.jinja cannot be parsed/],
    [
      'a template with a filter that is not known',
      withTemplate('{{ messages[0].content | sparkle }}'),
      /"chat_template" .* cannot render a message .*sparkle/,
    ],
    ['a template that is none', { files: { 'tokenizer_config.json': '{"chat_template":1}' } }, /"chat_template" .* cannot render/],
    [
      'a model of tokens that is not known',
      withTokenizer({ model: { type: 'Nothing', vocab: { a: 0 } } }),
      /"model\.type" "Nothing" in .*tokenizer\.json/,
    ],
    ['a model of tokens without a kind', withTokenizer({ model: { vocab: { a: 0 } } }), /"model" in .*tokenizer\.json has no "type"/],
    [
      'a pre-tokenizer that is not known',
      withTokenizer({ pre_tokenizer: { type: 'Scissors' } }),
      /"pre_tokenizer\.type" "Scissors" in .*tokenizer\.json/,
    ],
    [
      'one of several pre-tokenizers that is not known',
      withTokenizer({ pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Digits' }, { type: 'Scissors' }] } }),
      /"pre_tokenizer\.pretokenizers\[1\]\.type" "Scissors"/,
    ],
    [
      'a behavior of a pre-tokenizer that is not supported',
      withTokenizer({ pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithNext' } }),
      /"pre_tokenizer\.behavior" "MergedWithNext"/,
    ],
    ['a normalizer that is not known', withTokenizer({ normalizer: { type: 'Iron' } }), /"normalizer\.type" "Iron"/],
    [
      'a decoder that is not known',
      withTokenizer({ decoder: { type: 'Sequence', decoders: [{ type: 'Ring' }] } }),
      /"decoder\.decoders\[0\]\.type" "Ring"/,
    ],
    ['a post-processor that is not known', withTokenizer({ post_processor: { type: 'Stamp' } }), /"post_processor\.type" "Stamp"/],
    ['added tokens that are none', withTokenizer({ added_tokens: [1] }), /"added_tokens" in .*tokenizer\.json/],
    [
      'a vocabulary without letters',
      withTokenizer({ model: { type: 'BPE', vocab: { a: 0 }, merges: [] } }),
      /"model" in .*tokenizer\.json encodes "probe 42"/,
    ],
  ])('%s', async (_name, changes, reason) => {
    writeModelFolder(own, 'sound')
    const folder = writeModelFolder(own, 'tiny', changes)
    const { models, refused } = await listBaseModels({ shipped, own })
    expect(models.map(({ id }) => id)).toEqual(['sound'])
    expect(refused).toEqual([{ folder, reason: expect.stringMatching(reason) as string }])
  })
})

function replaceWeights(folder: string, files: Record<string, string>): void {
  rmSync(join(folder, 'model.safetensors'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function replaceWithFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

function replaceWithPipe(path: string): void {
  rmSync(path)
  execFileSync('mkfifo', [path])
}

describe('the estimate of memory', () => {
  const scored = (length: number) => ({ tokens: Int32Array.from({ length }, (_, i) => i % 300), scored: new Uint8Array(length).fill(1) })

  /** Trains one step on a sequence that fills the context; returns the bytes that are taken then. */
  function trainIn(bytes: number, { folder, config, adapter }: DescribedModel): number {
    const memory = new KernelMemory(bytes, 'plain')
    const { model: base } = loadModel(memory, folder)
    const trainer = new Trainer(memory, createTrainedModel(memory, { base, adapter, seed: 1n }))
    const sequence = scored(config.contextLength)
    finish(trainer.forward([sequence]))
    const used = memory.usedBytes
    finish(trainer.backward([new Float32Array(config.contextLength).fill(-0.01)]))
    finish(trainer.step({ learningRate: 1e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }))
    return used
  }

  test.each([
    ['an adapter', {}],
    ['every weight', { adapter: null }],
  ])('for %s is what the engine takes, to the byte: with less it refuses', (_, changes) => {
    const model = { ...readBaseModel(writeModelFolder(own, 'tiny')), ...changes }
    const { weights, training } = estimateMemory(model)
    expect(trainIn(weights + training, model)).toBe(weights + training)
    expect(() => trainIn(weights + training - 64, model)).toThrow(OutOfMemoryError)
  })

  test('has the weights with the positions of the context, the adapter, and keys and values of one completion', () => {
    const model = readBaseModel(writeModelFolder(own, 'tiny'))
    const memory = new KernelMemory(2 ** 22, 'plain')
    const { weights, adapter, completion } = estimateMemory(model)
    const { model: base } = loadModel(memory, model.folder)
    expect(memory.usedBytes).toBe(weights)
    allocateAdapter(memory, base, model.adapter!)
    expect(memory.usedBytes).toBe(weights + adapter)
    allocateCache(memory, model.config, model.contextLength)
    expect(memory.usedBytes).toBe(weights + adapter + completion)
    expect(estimateMemory({ ...model, adapter: null }).adapter).toBe(0)
  })

  test('grows by the same for each thread that trains', () => {
    const model = readBaseModel(writeModelFolder(own, 'tiny'))
    const [one, two, three] = [1, 2, 3].map((threads) => estimateMemory(model, { threads }).training)
    expect(three! - two!).toBe(two! - one!)
    expect(two).toBeGreaterThan(one!)
  })
})
