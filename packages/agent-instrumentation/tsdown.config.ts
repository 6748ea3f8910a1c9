import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', 'from-traces': 'src/from-traces/index.ts' },
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
})
