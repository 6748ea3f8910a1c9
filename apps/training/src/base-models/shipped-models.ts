import { fileURLToPath } from 'node:url'

/** True when running from source, where modules are TypeScript. */
const isSource = import.meta.url.endsWith('.ts')

/** The directory of the models shipped with Heddle. The build puts it next to the command. */
export const shippedModelsFolder = fileURLToPath(new URL(isSource ? '../../base-models/' : 'base-models/', import.meta.url))
