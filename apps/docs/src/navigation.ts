/** A page whose text is a Markdown file of the repository. */
export interface FilePage {
  /** Below the address of the site, without an ending; `''` is the first page. */
  path: string
  /** Path of the file from the root of the repository. */
  source: string
  /** In the sidebar, if the heading of the page is too long for it. */
  label?: string
}

export interface Section {
  title: string
  pages: readonly FilePage[]
}

/** Pages of `docs/` with their own names. */
const docs = (...names: readonly (string | [name: string, label: string])[]): FilePage[] =>
  names.map((entry) => {
    const [name, label] = typeof entry === 'string' ? [entry] : entry
    return { path: name, source: `docs/${name}.md`, ...(label !== undefined && { label }) }
  })

const readme = (path: string, folder: string): FilePage => ({ path, source: `${folder}/README.md` })

/** The order of the sidebar. The build adds the other pages of `docs/`, and the API reference. */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      { path: '', source: 'docs/index.md', label: 'Overview' },
      ...docs('start', 'concepts', ['tutorial-from-traces-to-a-better-model', 'From traces to a better model']),
    ],
  },
  {
    title: 'Clients',
    pages: docs(
      ['clients', 'All clients'],
      ...[
        'openai',
        'anthropic',
        'ai-sdk',
        'langchain',
        'llamaindex',
        'litellm',
        'openai-agents',
        'claude-code',
        'codex',
        'mastra',
        'pydantic-ai',
        'crewai',
        'n8n',
        'dify',
        'collector',
        'weave',
      ].map((name) => `clients/${name}`),
    ),
  },
  {
    title: 'Evaluate and train',
    pages: docs(
      'evaluations',
      'base-models',
      'fine-tuning',
      'taking-models-away',
      'serving-trained-models',
      'tinker-api',
      'environments',
      'training-objective',
      'structured-output',
      'launchers',
      'webhooks',
    ),
  },
  {
    title: 'Operate',
    pages: docs('operations', 'deployment', 'importing', 'parquet', 'deleting-data', 'metrics', 'security', 'limits', 'damage', 'formats'),
  },
  {
    title: 'Speed',
    pages: docs(
      'speed',
      ...['queries', 'evaluation-results', 'writes', 'load', 'agents', 'pages', 'start', 'training'].map((name) => `speed/${name}`),
      'growth',
    ),
  },
  {
    title: 'Packages',
    pages: [
      readme('packages/heddle', 'apps/heddle'),
      ...['core-api', 'otel-exporter', 'agent-instrumentation', 'mcp-server'].map((name) => readme(`packages/${name}`, `packages/${name}`)),
    ],
  },
  {
    title: 'Inside',
    pages: docs('architecture', 'glossary', 'instrumentations', ['promises-and-tests', 'Promises and tests'], 'releasing'),
  },
  {
    title: 'Decisions',
    pages: docs(
      ...[
        'admission-before-work',
        'backup-in-order-of-references',
        'calls-as-versions',
        'events-with-their-change',
        'exporter-writes-protobuf',
        'folder-lock-by-the-kernel',
        'journal-before-tables',
        'leases-by-heartbeat',
        'monitors-by-version',
        'numbered-commits',
        'one-analytical-dialect',
        'own-code-where-libraries-exist',
        'own-kernels',
        'permits-for-statements',
        'span-templates',
        'tables-in-chunks',
      ].map((name) => `decisions/${name}`),
    ),
  },
]
