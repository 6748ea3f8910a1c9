import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import { keyPrefix } from '../../events/webhook-message.ts'

/** Messages to webhooks, which are jobs whose ids are theirs. */
export interface WebhookMessages {
  /** Messages of a webhook that are to be sent, or sent again. */
  countWaiting(project: ProjectScope, webhookId: string): Promise<number>
}

export function createWebhookMessages(jobs: Pick<Jobs, 'countByKey'>): WebhookMessages {
  return {
    countWaiting: async (project, webhookId) => (await jobs.countByKey(project, keyPrefix(webhookId))).unfinished,
  }
}
