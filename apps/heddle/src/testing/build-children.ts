import type { TestProject } from 'vitest/node'
import { buildForTests } from './build-for-tests.ts'

/** Builds what tests start as processes of their own. A global setup of vitest. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('builtChildren', await buildForTests())
}
