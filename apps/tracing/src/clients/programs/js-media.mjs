import { init, op, weaveAudio, weaveImage } from 'weave'

const [project, imageBytes, soundBytes] = process.argv.slice(2)
const client = await init(project, { printCallLink: false })

const bytesOf = (length) => Buffer.from(Array.from({ length: Number(length) }, (_, index) => (index * index) % 251))
const pictureOf = op(async () => weaveImage({ data: bytesOf(imageBytes), imageType: 'png' }), { name: 'pictureOf' })
const speak = op(async () => ({ spoken: weaveAudio({ data: bytesOf(soundBytes) }) }), { name: 'speak' })
await pictureOf()
await speak()
const album = await client.publish({ title: 'looms', cover: weaveImage({ data: bytesOf(imageBytes) }) }, 'album')
await client.waitForBatchProcessing()
process.stdout.write(`\n${JSON.stringify(await client.get(album))}`)
