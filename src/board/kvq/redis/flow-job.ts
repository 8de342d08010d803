/** Parses a flow job from a reply of the flow script. */

import type { FlowJob } from '../model/store.ts';
import { hashFields } from './job-hash.ts';
import { parseLocated } from './jobs.ts';

/** Returns `null` when the job does not exist. */
export function parseFlowJob(id: string, value: unknown): FlowJob | null {
  const located = parseLocated(id, value);
  if (!located || !Array.isArray(value)) return null;
  const [, , processed, unprocessed, ignored, failed, children, reasons]: unknown[] = value;
  return {
    ...located,
    dependencies: {
      processed: Number(processed),
      unprocessed: Number(unprocessed),
      ignored: Number(ignored),
      failed: Number(failed),
    },
    childKeys: Array.isArray(children) ? children.map(String) : [],
    ignoredReasons: Object.fromEntries(hashFields(reasons)),
  };
}
