import { z } from 'zod'
import { defineResource } from '../operation.ts'

/** Traces of OpenTelemetry exporters. */
export const otel = defineResource({
  exportTrace: {
    method: 'POST',
    path: '/otel/v1/traces',
    aliases: ['/otel/v1/trace', '/agents/otel/v1/traces'],
    effect: 'write',
    summary: 'Record spans as calls',
    description:
      'Takes an OTLP `ExportTraceServiceRequest`, as protobuf or JSON, and returns an `ExportTraceServiceResponse` in the same encoding. ' +
      'The resource attributes `wandb.entity` and `wandb.project` take precedence over the headers.',
    headers: z.object({
      project_id: z.string().optional().describe('Project as `entity/project`, for resources without project attributes'),
      'project-id': z.string().optional().describe('Same as `project_id`, for proxies that drop header names with underscores'),
      wb_run_id: z.string().optional().describe('Training run to which the spans belong'),
    }),
    bytes: ['application/x-protobuf', 'application/protobuf', 'application/json'],
    output: 'bytes',
  },
})
