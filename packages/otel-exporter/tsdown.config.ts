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
  // Built separately, or files shared with the other entries would include modules of Node.
  { ...shared, entry: { fetch: 'src/fetch.ts' } },
])
