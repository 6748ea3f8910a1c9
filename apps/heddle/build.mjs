import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

const outdir = 'dist'

// Native code, and libraries that find files of their own beside them, stay what npm installs; all else is in the bundle.
const external = ['@clickhouse/client', 'chdb', 'cli-table3', 'commander', 'libsql', 'pg', 'pg-native', 'pino']

await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: {
    main: 'src/main.ts',
    'engine-child': '../../packages/datastore/src/analytical/engine/engine-child.ts',
  },
  outdir,
  external,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  legalComments: 'linked',
  chunkNames: '[name]-[hash]',
  logLevel: 'warning',
  // Bundled CommonJS modules call `require` for the modules of Node.
  banner: { js: "import { createRequire as createNodeRequire } from 'node:module'; const require = createNodeRequire(import.meta.url);" },
})
