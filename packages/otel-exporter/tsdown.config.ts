import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    fetch: 'src/fetch.ts',
    'otlp-http': 'src/otlp-http.ts',
    register: 'src/register.ts',
  },
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
})
