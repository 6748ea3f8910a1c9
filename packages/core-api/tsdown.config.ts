import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    types: 'src/types.ts',
    client: 'src/client/index.ts',
    routes: 'src/routes/index.ts',
    openapi: 'src/openapi/index.ts',
    attributes: 'src/attributes.ts',
    histories: 'src/histories/index.ts',
    internal: 'src/internal.ts',
  },
  format: ['esm', 'cjs'],
  dts: true,
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: true,
})
