import { z } from 'zod'

const Limit = z.object({
  name: z
    .enum([
      'request_bytes',
      'body_memory_bytes',
      'running_writes',
      'waiting_writes',
      'running_reads',
      'waiting_reads',
      'statements',
      'waiting_statements',
      'project_requests_per_minute',
      'project_requests_per_minute_per_key',
      'project_ingested_bytes_per_day',
    ])
    .describe(
      '`request_bytes`: of one body. `body_memory_bytes`: all bodies in memory. `project_…`: of each project, listed where the operator has set them. The others count requests, and statements of the store of calls, that run or wait',
    ),
  limit: z.int().min(0),
  used: z.int().min(0).nullable().describe('Now. Null for a limit of one request or project'),
  setting: z.string().nullable().describe('Environment variable that changes it. Null: none does'),
})

/** The server's configuration, without secrets, and the limits that follow from it. */
export const ServiceConfiguration = z.object({
  outgoing: z
    .object({
      allowed_hosts: z.array(z.string()).describe('Private hosts and subnets of `HEDDLE_ALLOWED_HOSTS`, as they were written'),
      service_hosts: z.array(z.string()).describe('Hosts with ports of the model providers and services that the operator has configured'),
    })
    .nullable()
    .describe('Where the server may send requests beyond the public internet. Null if not configured'),
  ingest: z.object({
    masks_credentials: z.boolean().describe('Whether texts under names of credentials are stored as `REDACTED`'),
    masked_names: z
      .array(z.string())
      .describe(
        'These names, in lower case without `_` and `-`. One that begins with `*` matches all names that end with the rest. Empty where nothing is masked',
      ),
    span_conflicts: z.enum(['keep', 'reject']).describe('What becomes of a span whose attribute names conflict'),
  }),
  training_library: z
    .string()
    .nullable()
    .describe(
      'File of the library that multiplies matrices for models on this machine. Null: none is set, or models run on another server',
    ),
  public_links: z.boolean().describe('Whether traces may be shared with people without a key'),
  limits: z.array(Limit),
})
