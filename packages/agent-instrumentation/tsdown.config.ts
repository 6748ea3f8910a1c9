import { defineConfig } from 'tsdown'
import { writeNotices } from '../../.scripts/release/third-party-notices.mjs'

export default defineConfig({
  entry: { index: 'src/index.ts', 'from-traces': 'src/from-traces/index.ts' },
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
  // How messages are read from traces, and the parts of core-api that it uses, are internal.
  noExternal: ['@heddle/json', '@heddle/trace-model', '@heddle/core-api/internal'],
  plugins: [writeNotices({ file: 'dist/THIRD_PARTY_NOTICES.txt' })],
})
