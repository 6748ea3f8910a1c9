import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', 'from-traces': 'src/from-traces/index.ts' },
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
  // How messages are read from traces is ours alone, and so is what it takes of core-api.
  noExternal: ['@heddle/trace-model', '@heddle/core-api/internal'],
})
