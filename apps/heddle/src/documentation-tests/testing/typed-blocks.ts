import type { CodeBlock } from '@heddle/testing'
import { type BlockSelector, selects } from './block-coverage.ts'

interface Context extends BlockSelector {
  /** Positions of the blocks of the page that it continues. */
  after?: readonly number[]
  /** What the sentences of the page speak of. */
  given?: string
}

/** Blocks that are not programs by themselves. */
export const contexts: readonly Context[] = [
  { document: 'docs/tutorial-from-traces-to-a-better-model.md', language: 'ts', positions: [2], after: [1] },
  { document: 'docs/tutorial-from-traces-to-a-better-model.md', language: 'ts', positions: [3], after: [1, 2] },
  { document: 'docs/serving-trained-models.md', language: 'ts', positions: [2], after: [1] },
  {
    document: 'docs/serving-trained-models.md',
    language: 'ts',
    positions: [3],
    given: "import OpenAI from 'openai'\nconst client = new OpenAI()",
  },
  { document: 'docs/serving-trained-models.md', language: 'ts', positions: [5], after: [4] },
  { document: 'packages/agent-instrumentation/README.md', language: 'ts', positions: [2], after: [1] },
  {
    document: 'packages/agent-instrumentation/README.md',
    language: 'ts',
    positions: [4],
    after: [1],
    given: [
      "import type { Trajectory, TrajectoryCarrier } from '@heddle/agent-instrumentation'",
      'declare const carrier: TrajectoryCarrier',
      'declare const trajectory: Trajectory',
      'declare const messages: OpenAI.ChatCompletionMessageParam[]',
      'declare function reply(text: string): void',
      'declare function askWorker(carrier: TrajectoryCarrier): Promise<string>',
    ].join('\n'),
  },
  { document: 'packages/agent-instrumentation/README.md', language: 'ts', positions: [5], after: [1] },
]

/** Blocks whose types are not checked, with the reason. */
export const blocksWithoutTypes: readonly (BlockSelector & { reason: string })[] = [
  {
    document: 'apps/heddle/README.md',
    language: 'ts',
    reason: 'it imports the whole server, which takes as long as all others; release:rehearse compiles it with the published types',
  },
  { document: 'docs/clients/ai-sdk.md', language: 'js', positions: [3], reason: 'tests have the versions before it installed' },
  { document: 'docs/clients/anthropic.md', language: 'js', reason: 'its instrumentation is installed only where the program runs' },
  { document: 'docs/clients/langchain.md', language: 'js', reason: 'its packages are installed only where the program runs' },
  { document: 'docs/clients/mastra.md', language: 'ts', reason: 'its packages are 300 MB' },
  { document: 'docs/clients/openai-agents.md', language: 'js', reason: 'its packages are installed only where the program runs' },
  {
    document: 'docs/clients/weave.md',
    language: 'js',
    reason: 'the client declares what it wraps as a version of the other client that has fewer methods; the program runs',
  },
]

/** A program that a reader would make of a block. */
export interface TypedProgram {
  block: CodeBlock
  /** What precedes the block, with a line break at its end. */
  before: string
}

/** The programs of the blocks whose types are checked. */
export function typedPrograms(blocks: readonly CodeBlock[]): TypedProgram[] {
  return blocks
    .filter(({ language }) => language === 'ts' || language === 'js')
    .filter((block) => !blocksWithoutTypes.some((each) => selects(each, block)))
    .map((block) => ({ block, before: contextOf(block, blocks) }))
}

function contextOf(block: CodeBlock, blocks: readonly CodeBlock[]): string {
  const { after = [], given } = contexts.find((each) => selects(each, block)) ?? {}
  const isBefore = (each: CodeBlock) =>
    each.document === block.document && each.language === block.language && after.includes(each.position)
  return [...blocks.filter(isBefore).map(({ code }) => code), ...(given === undefined ? [] : [`${given}\n`])].join('')
}
