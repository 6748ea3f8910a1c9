import { defineConfig, type UserConfig } from 'tsdown'

/** Everything is bundled, so that `npx` fetches one package and loads one file. */
const shared: UserConfig = {
  platform: 'node',
  target: 'es2023',
  fixedExtension: true,
  noExternal: [/^(?!node:)/],
}

export default defineConfig([
  { ...shared, entry: { index: 'src/index.ts', prompts: 'src/prompts/index.ts' }, format: ['esm', 'cjs'], dts: true },
  { ...shared, entry: { bin: 'src/bin.ts' }, format: ['esm'], dts: false, minify: true, outputOptions: { codeSplitting: false } },
])
