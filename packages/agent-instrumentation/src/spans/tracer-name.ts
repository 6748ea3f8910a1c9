/** Tracer name of the spans of this package. */
export const tracerName = '@heddle/agent-instrumentation'
