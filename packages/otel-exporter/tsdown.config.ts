import { defineConfig, type UserConfig } from 'tsdown'

const shared: UserConfig = {
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
}

export default defineConfig([
  { ...shared, entry: { index: 'src/index.ts', 'otlp-http': 'src/otlp-http.ts', register: 'src/register.ts' } },
  // By itself, or files that it shares with the others would bring modules of Node along.
  { ...shared, entry: { fetch: 'src/fetch.ts' } },
])
