/** Lists the jobs of groups behind the other jobs of their status: a library with groups keeps them outside its lists. */

import type { JobPage } from '../model/job-record.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import type { JobStatus } from '../model/types.ts';
import type { BoardQueue } from '../queue/board-queue.ts';

/** The pages of a queue from `start` to `end`, filled up with jobs of its groups. */
export async function pagesWithGroups(
  queue: BoardQueue,
  statuses: readonly JobStatus[],
  start: number,
  end: number,
  limits: ReadLimits,
): Promise<JobPage[]> {
  const { driver } = queue;
  const { store } = driver;
  const pages = await store.pages(statuses, start, end, limits);
  const size = end - start + 1;
  if (!driver.groupJobIds || pages.every(({ jobs }) => jobs.length >= size)) return pages;
  const [result] = await store.facts([store], false);
  const counts = result && 'facts' in result ? result.facts.counts : {};
  const filled: JobPage[] = [];
  for (const page of pages) {
    const status = statuses.find((known) => known === page.status);
    const missing = size - page.jobs.length;
    const from = Math.max(0, start - (status ? (counts[status] ?? 0) : 0));
    const ids =
      status && missing > 0 ? await driver.groupJobIds(status, from, from + missing - 1) : [];
    const found = ids.length === 0 ? [] : await store.flowJobs(ids, 0, limits);
    const jobs = found.flatMap((located) => (located ? [located.job] : []));
    filled.push({ status: page.status, jobs: [...page.jobs, ...jobs] });
  }
  return filled;
}
