const tests = String.raw`\.test(-d)?\.ts$|/testing/`
/** The folders of resources: tracing has `records` and `views`, training one layer. */
const resources = '^apps/[^/]+/src/(?:resources|records|views)'
/** `records/costs/costs.ts`, which puts a resource together. */
const wiring = String.raw`${resources}/(?<resource>[^/]+)/\k<resource>\.ts$`
const databaseLibraries = String.raw`node_modules/(kysely|libsql|pg|better-sqlite3|chdb|@clickhouse/client)/`

const nodeModules = String.raw`^(node:)?(child_process|crypto|dns|fs|http|https|module|net|os|path|process|stream|tls|url|util|zlib)(/|$)`

/** The drawing as rules. Each says what may not be imported, and why. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that need each other cannot be understood, tested or moved alone: put what both need in a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-api-stands-alone',
      comment: 'core-api is what every other part is built on, and is installed by itself from npm: it imports no sibling.',
      severity: 'error',
      from: { path: '^packages/core-api/' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/core-api/' },
    },
    {
      name: 'core-api-runs-anywhere',
      comment: 'The contract and the client run in browsers too: outside tests, core-api uses zod and the web platform, nothing of Node.',
      severity: 'error',
      from: { path: '^packages/core-api/src/', pathNot: tests },
      to: { pathNot: ['^packages/core-api/src/', 'node_modules/zod/'] },
    },
    {
      name: 'attributes-load-no-zod',
      comment: 'The exporter loads this entry into programs of others, so it costs them nothing: no zod, also not through another file.',
      severity: 'error',
      from: { path: '^packages/core-api/src/attributes\\.ts$' },
      to: { path: 'node_modules/zod/', reachable: true },
    },
    {
      name: 'exporter-stands-light',
      comment: 'The exporter is loaded into programs of others: of us it takes the names of attributes alone, and of others OpenTelemetry.',
      severity: 'error',
      from: { path: '^packages/otel-exporter/src/', pathNot: tests },
      to: {
        pathNot: ['^packages/otel-exporter/src/', '^packages/core-api/src/attributes\\.ts$', 'node_modules/@opentelemetry/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'exporter-on-the-edge',
      comment: 'The `fetch` entry runs where there is no Node: nothing that it reaches may be a module of Node.',
      severity: 'error',
      from: { path: '^packages/otel-exporter/src/fetch\\.ts$' },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: 'assistants-see-the-contract',
      comment:
        'A tool can do what the contract can, and nothing else: of us the MCP server takes core-api, exact numbers of JSON, what traces and runs of evaluations say, the nearest of misspelled names, from the instrumentation how trajectories are read from traces, and its telemetry the exporter. It is one bundled file.',
      severity: 'error',
      from: { path: '^packages/mcp-server/src/', pathNot: [tests, '^packages/mcp-server/src/telemetry/'] },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/(mcp-server/|core-api/|json/src/exact\\.ts$|evaluations/|spelling/|trace-model/|agent-instrumentation/src/from-traces/)',
      },
    },
    {
      name: 'agents-see-the-contract',
      comment:
        'The instrumentation is loaded into programs of others: of us it takes core-api, and exact numbers of JSON and how messages are read from traces, which are bundled; spans go through whatever tracer they have.',
      severity: 'error',
      from: { path: '^packages/agent-instrumentation/src/', pathNot: tests },
      to: { path: '^packages/', pathNot: '^packages/(agent-instrumentation|core-api|json|trace-model)/' },
    },
    {
      name: 'from-traces-runs-anywhere',
      comment:
        'Trajectories are read from traces by the command, by assistants and in a browser: nothing that the entry reaches may be a module of Node.',
      severity: 'error',
      from: { path: '^packages/agent-instrumentation/src/from-traces/', pathNot: tests },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: 'pages-see-the-contract',
      comment:
        'A page can do what any client can: of us the pages take core-api, exact numbers of JSON, what traces and runs of evaluations say, encodings and separators of files, how trajectories are read from traces, and the questions for assistants.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: tests },
      to: {
        path: '^packages/',
        pathNot:
          '^packages/(core-api/|json/src/exact\\.ts$|evaluations/|text-files/|trace-model/|agent-instrumentation/src/from-traces/|mcp-server/src/prompts/)',
      },
    },
    {
      name: 'lib-imports-nothing-above',
      comment: 'What every page builds on (the client, the project, addresses, times and texts) has no components and knows none.',
      severity: 'error',
      from: { path: '^apps/web/src/(lib|jsx)/' },
      to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(lib|jsx)/' },
    },
    {
      name: 'ui-knows-no-subject',
      comment: 'Parts of pages are shown with any content: what a call, a run or a page is, they do not know.',
      severity: 'error',
      from: { path: '^apps/web/src/ui/' },
      to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(jsx|lib|ui)/' },
    },
    {
      name: 'plot-knows-no-subject',
      comment: 'Charts draw any data: they are made of the parts of pages, and know neither what is counted nor where it is shown.',
      severity: 'error',
      from: { path: '^apps/web/src/plot/' },
      to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(lib|ui|plot)/' },
    },
    {
      name: 'features-know-no-page',
      comment: 'What several pages show of one thing looks the same wherever it is shown, so it knows none of them.',
      severity: 'error',
      from: { path: '^apps/web/src/features/' },
      to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(lib|ui|plot|features)/' },
    },
    {
      name: 'no-page-imports-another',
      comment: 'A page is loaded, understood and changed by itself: what two pages show of one thing is a feature.',
      severity: 'error',
      from: { path: '^apps/web/src/pages/([^/]+)/' },
      to: { path: '^apps/web/src/pages/', pathNot: '^apps/web/src/pages/$1/' },
    },
    {
      name: 'app-is-the-top',
      comment: 'Routes and the frame put pages together; a page that imported them could not be loaded by itself.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: '^apps/web/src/(app/|main\\.tsx$)' },
      to: { path: '^apps/web/src/app/' },
    },
    {
      name: 'packages-below-apps',
      comment: 'Packages are what apps are built from: they do not import apps.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-beside-apps',
      comment: 'Services do not know each other; apps/heddle alone puts them together.',
      severity: 'error',
      from: { path: '^apps/(?!heddle/|docs/)([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'server-on-top-of-its-parts',
      comment:
        'A server opens stores, logs, measures itself and is backed up: none of these parts knows the server, so commands use them without one.',
      severity: 'error',
      from: { path: '^apps/heddle/src/(backup|health|log|metrics|process|stores|telemetry)/', pathNot: tests },
      to: { path: '^apps/heddle/src/server/' },
    },
    {
      name: 'documentation-shares-the-theme',
      comment: 'The documentation has the theme of the web UI, which a browser stores once for both; of other apps it needs nothing.',
      severity: 'error',
      from: { path: '^apps/docs/' },
      to: { path: '^(apps|packages)/', pathNot: ['^apps/docs/', String.raw`^apps/web/src/features/theme/theme\.ts$`] },
    },
    {
      name: 'services-below-clients',
      comment: 'Packages for programs, agents and assistants are clients of the services: what both sides need is in core-api.',
      severity: 'error',
      from: { path: '^apps/(tracing|training)/src/', pathNot: tests },
      to: { path: '^packages/(agent-instrumentation|mcp-server|otel-exporter)/' },
    },
    {
      name: 'drawing-of-packages',
      comment:
        'service-kit and datastore see what stands above them in the drawing, the contract and JSON, and not each other; tests see packages/testing.',
      severity: 'error',
      from: { path: '^packages/(service-kit|datastore)/' },
      to: { path: '^packages/', pathNot: ['^packages/(core-api|json|testing)/', '^packages/$1/'] },
    },
    {
      name: 'exact-json-runs-anywhere',
      comment: 'Pages read and write exact numbers too: nothing that the entry reaches may be a module of Node.',
      severity: 'error',
      from: { path: '^packages/json/src/exact\\.ts$' },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: 'json-knows-no-service',
      comment: 'Texts and values of JSON, for every service alike: what a call, a request or a table is, packages/json does not know.',
      severity: 'error',
      from: { path: '^packages/json/' },
      to: { path: '^packages/', pathNot: '^packages/(core-api|json)/' },
    },
    {
      name: 'evaluations-run-anywhere',
      comment:
        'What runs of evaluations say is computed for the command and in a browser: of us it takes core-api alone, and nothing of Node.',
      severity: 'error',
      from: { path: '^packages/evaluations/src/', pathNot: tests },
      to: { pathNot: ['^packages/evaluations/src/', '^packages/core-api/src/'] },
    },
    {
      name: 'trace-model-runs-anywhere',
      comment:
        'Which usage of a trace counts, its root, thread and status are computed once, for services, command, assistants and browsers: of us it takes core-api and exact numbers of JSON, and nothing of Node.',
      severity: 'error',
      from: { path: '^packages/trace-model/src/', pathNot: tests },
      to: { pathNot: ['^packages/trace-model/src/', '^packages/core-api/src/', '^packages/json/src/exact\\.ts$'] },
    },
    {
      name: 'text-files-run-anywhere',
      comment: 'Encodings and separators of files are detected for the command and in a browser: nothing of us, and nothing of Node.',
      severity: 'error',
      from: { path: '^packages/text-files/src/', pathNot: tests },
      to: { pathNot: ['^packages/text-files/src/', 'papaparse'] },
    },
    {
      name: 'testing-stands-alone',
      comment: 'What tests of several packages share; the tests of every package may use it, so it uses none of them.',
      severity: 'error',
      from: { path: '^packages/testing/' },
      to: { path: '^(packages|apps)/', pathNot: '^packages/testing/' },
    },
    {
      name: 'identity-below-services',
      comment: 'identity answers who may do what; how a request arrives is not its business.',
      severity: 'error',
      from: { path: '^packages/identity/' },
      to: { path: '^packages/', pathNot: '^packages/(core-api|datastore|identity|testing)/' },
    },
    {
      name: 'jobs-below-services',
      comment: 'jobs keeps what services ask for and calls their handlers; what a job does, and how it was asked for, is not its business.',
      severity: 'error',
      from: { path: '^packages/jobs/' },
      to: { path: '^packages/', pathNot: '^packages/(core-api|datastore|identity|jobs|json|testing)/' },
    },
    {
      name: 'outgoing-stands-alone',
      comment: 'The guarded client is looked at closely before each change: it is small, and needs nothing of ours.',
      severity: 'error',
      from: { path: '^packages/outgoing/src/', pathNot: tests },
      to: { pathNot: '^packages/outgoing/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'one-way-out',
      comment: 'Servers ask others through packages/outgoing alone, which checks where a request goes. gRPC listens on HTTP/2.',
      severity: 'error',
      from: {
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: [tests, '^packages/(outgoing|otel-exporter|service-kit/src/grpc)/', '^apps/(heddle|web)/'],
      },
      to: { path: String.raw`^(node:)?(https|http2)$|node_modules/(undici|axios|got|node-fetch|ky)/` },
    },
    {
      name: 'no-handlers-of-others',
      comment:
        'A resource uses the store or a rule of another, never its handlers: handlers answer requests, and nothing else (tests may).',
      severity: 'error',
      from: { path: `${resources}/([^/]+)/`, pathNot: tests },
      to: { path: `${resources}/.*-handlers\\.ts$`, pathNot: `${resources}/$1/` },
    },
    {
      name: 'rules-below-handlers',
      comment: 'Calls go down: no rule and no store imports the handlers that use it.',
      severity: 'error',
      from: { path: `${resources}/`, pathNot: [tests, '-handlers\\.ts$', wiring] },
      to: { path: '-handlers\\.ts$' },
    },
    {
      name: 'only-the-app-picks-adapters',
      comment:
        'A resource knows the store of itself or of another as an interface; which SQL stands behind it is chosen where it is put together.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot: [
          tests,
          '/src/(app|create-platform|create-records|create-views|create-resources|main|index)\\.ts$',
          wiring,
          '^apps/heddle/',
          '-store\\.sql\\.ts$',
        ],
      },
      to: { path: '-store\\.sql\\.ts$' },
    },
    {
      name: 'wired-by-the-app',
      comment:
        'What a resource needs of another comes as an argument; create-resources, with create-records and create-views, alone puts them together.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/', pathNot: [tests, '^apps/[^/]+/src/create-(records|views|resources)\\.ts$'] },
      to: { path: wiring },
    },
    {
      name: 'records-below-domain',
      comment:
        'Records are what a project stores. What is recorded in them and read from them knows them; a record that knew it could not be understood alone.',
      severity: 'error',
      from: { path: '^apps/tracing/src/records/', pathNot: tests },
      to: { path: '^apps/tracing/src/(domain|views)/' },
    },
    {
      name: 'domain-below-views',
      comment: 'Scoring, calls of evaluations and collections of objects serve several views, so they know none of them.',
      severity: 'error',
      from: { path: '^apps/tracing/src/domain/', pathNot: tests },
      to: { path: '^apps/tracing/src/views/' },
    },
    {
      name: 'training-below-resources',
      comment:
        'How trajectories become weights, and how bodies are read in threads, does not depend on requests: what is done in a thread comes as an argument.',
      severity: 'error',
      from: {
        path: '^apps/training/src/(base-models|body-threads|checkpoint-files|constrained|engine|json-text|model-versions|objective|repeats|request-body|sequences|tokenizer|training)/',
        pathNot: tests,
      },
      to: { path: '^apps/training/src/(resources|jobs|compatibility)/' },
    },
    {
      name: 'tokens-below-engine',
      comment: 'Tokenizers and constraints decide about tokens of any engine; an engine uses them.',
      severity: 'error',
      from: { path: '^apps/training/src/(constrained|tokenizer)/', pathNot: tests },
      to: { path: '^apps/training/src/engine/' },
    },
    {
      name: 'resources-below-jobs',
      comment: 'Jobs train with the stores of resources, and other protocols are translated to them; a resource knows neither.',
      severity: 'error',
      from: { path: '^apps/training/src/resources/', pathNot: tests },
      to: { path: '^apps/training/src/(jobs|compatibility)/' },
    },
    {
      name: 'pretraining-is-a-tool',
      comment: 'Nothing that is shipped pretrains a model; the program that made the shipped ones uses the product, and not the reverse.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [tests, '^apps/training/pretraining/'] },
      to: { path: '^apps/training/pretraining/' },
    },
    {
      name: 'only-stores-see-the-database',
      comment: 'SQL lives in `*-store.sql.ts`, in `query/` and in packages/datastore; the rest asks a store.',
      severity: 'error',
      from: { pathNot: ['^packages/datastore/', '-store\\.sql\\.ts$', '^apps/[^/]+/src/query/', '^benchmarks/', tests] },
      to: { path: databaseLibraries },
    },
    {
      name: 'shared-parts-know-no-resource',
      comment: 'Queries, payloads, spans, deletions, events and providers serve all resources, so they know none of them.',
      severity: 'error',
      from: { path: '^apps/tracing/src/(compatibility|deletions|events|otlp|payload|providers|query)/', pathNot: tests },
      to: { path: '^apps/tracing/src/(records|domain|views)/' },
    },
    {
      name: 'queries-and-spans-on-payloads',
      comment: 'Queries and spans read payloads; a payload knows neither how it is found nor how it arrived.',
      severity: 'error',
      from: { path: '^apps/tracing/src/(otlp|payload|query)/', pathNot: tests },
      to: { path: '^apps/tracing/src/', pathNot: ['^apps/tracing/src/payload/', '^apps/tracing/src/$1/'] },
    },
    {
      name: 'no-deep-imports',
      comment: 'A package is what its `exports` say; a path that leads into it from outside would make every file of it public.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-test-code-in-products',
      comment: 'What is shipped does not carry its tests or their tools.',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'declared-dependencies',
      comment: 'An import that the package.json beside it does not declare works here by luck, and fails where it is installed.',
      severity: 'error',
      from: { path: '^(packages|apps)/' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        // A peer that is optional is declared, and taken for one that is not.
        dependencyTypesNot: ['npm-peer'],
        pathNot: 'node_modules/(vitest|fast-check|expect-type|@typescript/typescript6)/',
      },
    },
    {
      name: 'resolvable',
      comment: 'An import must lead somewhere; the rules above cannot see what it would have reached.',
      severity: 'error',
      // Their tests install what they import.
      from: { pathNot: [String.raw`^packages/agent-instrumentation/examples/mastra\.mjs$`, '^apps/training/agents/libraries/'] },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|vectors)/|^(packages|apps)/[^/]+/(tsdown\\.config\\.ts|build\\.mjs)$' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
}
