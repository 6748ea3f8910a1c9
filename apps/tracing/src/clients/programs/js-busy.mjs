import { init, op } from 'weave'

const client = await init(process.argv[2], { printCallLink: false })
const step = op(async (index) => index, { name: 'step' })
for (let index = 0; index < 4; index++) await step(index)
await client.waitForBatchProcessing()
