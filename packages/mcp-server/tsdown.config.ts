import { defineConfig, type UserConfig } from 'tsdown'
import { writeNotices } from '../../.scripts/release/third-party-notices.mjs'

/** Everything is bundled, so that `npx` fetches one package and loads one file. */
const shared: UserConfig = {
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
  noExternal: [/^(?!node:)/],
  plugins: [writeNotices({ file: 'dist/THIRD_PARTY_NOTICES.txt' })],
}

export default defineConfig([
  { ...shared, entry: { index: 'src/index.ts', prompts: 'src/prompts/index.ts' }, format: ['esm', 'cjs'], dts: true },
  { ...shared, entry: { bin: 'src/bin.ts' }, format: ['esm'], dts: false, minify: true, outputOptions: { codeSplitting: false } },
])
