import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callOf, readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

const [imageBytes, soundBytes] = [300_000, 40_000]
/** Bytes that are not text in any encoding. */
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * index) % 251))

let server: ServerUnderTest
let project_id: string
/** The published value as the client read it back. */
let album: unknown
beforeAll(async () => {
  server = await startServer()
  project_id = server.newProject()
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const output = await runProgram({ name: 'js-media.mjs', args: [project_id, String(imageBytes), String(soundBytes)], env })
  album = JSON.parse(output.split('\n').at(-1) ?? '')
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

const media = (type: string, file: string) => ({
  _type: 'CustomWeaveType',
  weave_type: { type },
  files: { [file]: expect.stringMatching(/^[A-Za-z0-9]{43}$/) },
  load_op: 'NO_LOAD_OP',
})
const contentOf = async (value: unknown, file: string) => {
  const digest = (value as { files: Record<string, string> }).files[file] ?? ''
  return Buffer.from((await server.client.files.content({ project_id, digest })).bytes)
}

test('the JavaScript client records images and sounds as values that name their files', async () => {
  const calls = await readCalls(server, project_id)
  const [picture, speech] = [callOf(calls, 'pictureOf').output, callOf(calls, 'speak').output as { spoken: unknown }]
  expect(picture).toEqual(media('PIL.Image.Image', 'image.png'))
  expect(speech).toEqual({ spoken: media('wave.Wave_read', 'audio.wav') })
  expect(await contentOf(picture, 'image.png')).toEqual(bytesOf(imageBytes))
  expect(await contentOf(speech.spoken, 'audio.wav')).toEqual(bytesOf(soundBytes))
})

test('the JavaScript client publishes an object with an image and reads it back', async () => {
  expect(album).toMatchObject({ title: 'looms', cover: media('PIL.Image.Image', 'image.png') })
  expect(await contentOf((album as { cover: unknown }).cover, 'image.png')).toEqual(bytesOf(imageBytes))
})

test('the same image in calls and objects is one file', async () => {
  const { total_size_bytes } = await server.client.files.queryStats({ project_id })
  expect(total_size_bytes).toBeGreaterThan(imageBytes + soundBytes)
  expect(total_size_bytes).toBeLessThan(imageBytes + soundBytes + 20_000)
})
