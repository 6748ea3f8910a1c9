import type { CodeBlock } from '@heddle/testing'

/** Which blocks of a document something is said of: all of a language, or those at some positions among them. */
export interface BlockSelector {
  /** Path of the document; of a folder, with a slash at its end, each page in it. */
  document: string
  language: string
  /** From 1. Absent: all. */
  positions?: readonly number[]
}

export function selects({ document, language, positions }: BlockSelector, block: CodeBlock): boolean {
  const isThere = document.endsWith('/') ? block.document.startsWith(document) : block.document === document
  return isThere && block.language === language && (positions?.includes(block.position) ?? true)
}

/** Blocks that another test runs. `reads`: what that test has in its source, so that it is seen to read the document. */
export const blocksWithTests: readonly (BlockSelector & { test: string; reads: string })[] = [
  {
    document: 'apps/heddle/README.md',
    language: 'ts',
    positions: [1],
    test: 'apps/heddle/src/test-server/create-test-server.test.ts',
    reads: '../../README.md',
  },
  {
    document: 'docs/evaluations.md',
    language: 'ts',
    positions: [1],
    test: 'apps/heddle/src/commands/eval/eval-examples.test.ts',
    reads: 'docs/evaluations.md',
  },
  {
    document: 'docs/tutorial-from-traces-to-a-better-model.md',
    language: 'ts',
    test: 'apps/heddle/src/demo/tutorial.long.test.ts',
    reads: 'docs/tutorial-from-traces-to-a-better-model.md',
  },
  {
    document: 'docs/webhooks.md',
    language: 'js',
    positions: [1],
    test: 'apps/tracing/src/views/webhooks/webhook-examples.test.ts',
    reads: 'docs/webhooks.md',
  },
  {
    document: 'docs/webhooks.md',
    language: 'python',
    positions: [1],
    test: 'apps/tracing/python/test_webhook_example.py',
    reads: '"webhooks.md"',
  },
  { document: 'docs/tinker-api.md', language: 'python', test: 'apps/training/tinker/test_tinker_client.py', reads: '"tinker-api.md"' },
  {
    document: 'docs/tinker-api.md',
    language: 'sh',
    positions: [1],
    test: 'apps/training/tinker/test_tinker_client.py',
    reads: '"tinker-api.md"',
  },
  {
    document: 'docs/tinker-api.md',
    language: 'sh',
    positions: [2, 3],
    test: 'apps/training/cookbook/test_recipes.py',
    reads: '"tinker-api.md"',
  },
  {
    document: 'docs/environments.md',
    language: 'python',
    test: 'apps/training/environments/test_environments.py',
    reads: '"environments.md"',
  },
  {
    document: 'docs/environments.md',
    language: 'sh',
    positions: [1, 2, 3],
    test: 'apps/training/environments/test_environments.py',
    reads: '"environments.md"',
  },
  {
    document: 'docs/serving-trained-models.md',
    language: 'toml',
    test: 'apps/training/agents/test_coding_agents.py',
    reads: '"serving-trained-models.md"',
  },
  { document: 'docs/clients/', language: 'js', test: 'apps/heddle/src/commands/client-programs.test.ts', reads: "'docs/clients'" },
  { document: 'docs/clients/', language: 'python', test: 'apps/docs/python/test_client_page.py', reads: '"docs/clients"' },
  { document: 'packages/core-api/README.md', language: 'ts', test: 'packages/core-api/src/readme.test.ts', reads: '../README.md' },
  {
    document: 'packages/otel-exporter/README.md',
    language: 'ts',
    test: 'packages/otel-exporter/src/readme.test.ts',
    reads: '../README.md',
  },
  {
    document: 'packages/agent-instrumentation/README.md',
    language: 'ts',
    positions: [1, 2, 4, 5],
    test: 'packages/agent-instrumentation/src/readme.test.ts',
    reads: '../README.md',
  },
  {
    document: 'packages/agent-instrumentation/README.md',
    language: 'ts',
    positions: [3],
    test: 'apps/heddle/src/documentation-tests/spans-of-attempts.test.ts',
    reads: 'packages/agent-instrumentation/README.md',
  },
  {
    document: 'packages/agent-instrumentation/README.md',
    language: 'sh',
    positions: [2],
    test: 'apps/heddle/src/commands/trajectories.test.ts',
    reads: 'packages/agent-instrumentation/README.md',
  },
  {
    document: 'packages/otel-exporter/README.md',
    language: 'yaml',
    test: 'packages/otel-exporter/src/readme.test.ts',
    reads: '../README.md',
  },
  {
    document: 'apps/heddle/README.md',
    language: 'json',
    positions: [2],
    test: 'apps/training/src/base-models/base-models.test.ts',
    reads: 'apps/heddle/README.md',
  },
  {
    document: 'apps/heddle/deploy/helm/heddle/README.md',
    language: 'yaml',
    test: 'apps/heddle/src/deployment/chart.test.ts',
    reads: "read('README.md')",
  },
  {
    document: 'docs/fine-tuning.md',
    language: 'ts',
    test: 'apps/training/src/resources/served-models/documented-clients.test.ts',
    reads: 'docs/fine-tuning.md',
  },
  { document: 'docs/fine-tuning.md', language: 'json', test: 'apps/heddle/src/commands/fine-tune.test.ts', reads: 'docs/fine-tuning.md' },
  {
    document: 'docs/launchers.md',
    language: 'yaml',
    positions: [1],
    test: 'apps/training/src/engine/launchers/kubernetes-launcher.test.ts',
    reads: 'docs/launchers.md',
  },
  {
    document: 'docs/parquet.md',
    language: 'sql',
    positions: [1],
    test: 'apps/tracing/src/views/parquet-export/parquet-export.test.ts',
    reads: 'docs/parquet.md',
  },
  {
    document: 'docs/serving-trained-models.md',
    language: 'ts',
    test: 'apps/training/src/resources/served-models/documented-clients.test.ts',
    reads: 'docs/serving-trained-models.md',
  },
  {
    document: 'docs/webhooks.md',
    language: 'json',
    positions: [1],
    test: 'apps/tracing/src/views/webhooks/announced-events.test.ts',
    reads: 'docs/webhooks.md',
  },
  {
    document: 'packages/mcp-server/README.md',
    language: 'ts',
    positions: [1],
    test: 'packages/mcp-server/src/readme.test.ts',
    reads: '../README.md',
  },
  { document: 'packages/mcp-server/README.md', language: 'sh', test: 'packages/mcp-server/src/readme.test.ts', reads: '../README.md' },
  { document: 'packages/mcp-server/README.md', language: 'json', test: 'packages/mcp-server/src/readme.test.ts', reads: '../README.md' },
]

/** Blocks that nothing runs or reads, with the reason. */
export const blocksWithoutTests: readonly (BlockSelector & { reason: string })[] = [
  { document: 'apps/heddle/README.md', language: '', reason: 'what a proxy of any kind must do, in words' },
  {
    document: 'docs/clients/codex.md',
    language: 'toml',
    reason:
      'only the assistant reads it, a program of 300 MB; its recording is made with these settings, and client-programs.test.ts checks them',
  },
  { document: 'docs/clients/mastra.md', language: 'sh', reason: 'the packages of its program, in versions of the reader' },
  {
    document: 'docs/clients/mastra.md',
    language: 'ts',
    reason: 'its packages need a newer Node.js than the tests; what they send is recorded and replayed by instrumentations.test.ts',
  },
]
