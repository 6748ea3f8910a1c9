import { fileURLToPath } from 'node:url'
import { endWithNpm } from './terminal/end-with-npm.mjs'
import { install } from './install.mjs'

// Serves the gallery of the parts of pages, which changes as their sources do.
endWithNpm()
await install()
await import(fileURLToPath(new URL('../apps/web/gallery.mjs', import.meta.url)))
