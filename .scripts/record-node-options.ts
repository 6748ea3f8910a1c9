import { writeFileSync } from 'node:fs'
import { fetchNode, readNodeOptions, supportedNodes } from '../apps/heddle/src/testing/node-options.ts'

// Records the names of the options of each Node that the command supports, with which its test compares those of the command: npx tsx .scripts/record-node-options.ts
const recorded: Record<string, string> = {}
for (const version of supportedNodes) recorded[version] = (await readNodeOptions(await fetchNode(version))).join(' ')
const file = new URL('../apps/heddle/src/testing/node-options.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
