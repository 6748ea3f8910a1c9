import { z } from 'zod'
import { defineResource } from '../operation.ts'

const exportHeaders = z.object({
  project_id: z.string().optional().describe('Project as `entity/project`, for resources without project attributes'),
  'project-id': z.string().optional().describe('Same as `project_id`, for proxies that drop header names with underscores'),
  wb_run_id: z.string().optional().describe('Training run to which the spans belong'),
})

/** Traces and log records of OpenTelemetry exporters. */
export const otel = defineResource('Traces of OpenTelemetry exporters', {
  exportTrace: {
    method: 'POST',
    path: '/otel/v1/traces',
    aliases: ['/v1/traces', '/otel/v1/trace', '/agents/otel/v1/traces'],
    effect: 'write',
    summary: 'Record spans as calls',
    description:
      'Takes an OTLP `ExportTraceServiceRequest`, as protobuf or JSON, and returns an `ExportTraceServiceResponse` in the same encoding. ' +
      'The resource attributes `wandb.entity` and `wandb.project` take precedence over the headers.',
    headers: exportHeaders,
    bytes: ['application/x-protobuf', 'application/protobuf', 'application/json'],
    output: 'bytes',
  },
  exportLogs: {
    method: 'POST',
    path: '/otel/v1/logs',
    aliases: ['/v1/logs', '/agents/otel/v1/logs'],
    effect: 'write',
    summary: 'Record log records as messages of calls',
    description:
      'Takes an OTLP `ExportLogsServiceRequest`, as protobuf or JSON, and returns an `ExportLogsServiceResponse` in the same encoding. ' +
      'Events of generative AI (`gen_ai.system.message`, `gen_ai.user.message`, `gen_ai.assistant.message`, `gen_ai.tool.message`, `gen_ai.choice`, ' +
      '`gen_ai.client.inference.operation.details`) become input and output of the call of the span that they name, before or after that arrives, ' +
      'unless the span has its own. Other records are counted as rejected. The project is chosen as for spans.',
    headers: exportHeaders,
    bytes: ['application/x-protobuf', 'application/protobuf', 'application/json'],
    output: 'bytes',
  },
})
