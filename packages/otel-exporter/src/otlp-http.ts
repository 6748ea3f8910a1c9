export { createOtlpHttpExporter } from './create-otlp-http-exporter.ts'
export type { ExporterOptions } from './settings/exporter-options.ts'
