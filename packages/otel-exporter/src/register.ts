import { register } from './start-tracing.ts'

/** Tracing of this program, started by loading this entry: `node --import @heddle/otel-exporter/register app.js`. */
export const tracing = register()
