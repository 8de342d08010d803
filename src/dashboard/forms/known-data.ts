/** The data that is known of the jobs of a queue: its JSON Schema, or the shape of its last jobs, and their names. */

import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { useAllowed } from '../actions/perform.ts';
import type { Board, QueuePlace } from '../api/boards.ts';
import { queries } from '../api/queries.ts';
import { jobDetail } from '../job/detail.ts';
import { useQueueInfo } from '../queue/info.ts';
import { shapeOf } from './schema.ts';
import type { Schema } from './schema.ts';

/** Jobs whose data is looked at, and characters of one. */
const [looked, longest] = [5, 100_000];

export const dataSchema = ({ client, engine }: Board, queueName: string) =>
  queryOptions({
    ...client.read('GET /api/queues/{queueName}/job-data-schema', { params: { queueName } }),
    enabled: engine === 'kvq',
    staleTime: 60_000,
  });

interface LastJob {
  readonly id: string;
  readonly name?: string | undefined;
}

async function listed({ client, engine }: Board, queueName: string): Promise<readonly LastJob[]> {
  const params = { queueName };
  const { jobs } =
    engine === 'pgq'
      ? await client.call('GET /api/pgq/queues/{queueName}/jobs', {
          params,
          query: { limit: looked },
        })
      : await client.call('GET /api/queues/{queueName}/jobs', {
          params,
          query: { limit: looked, fields: 'name' },
        });
  return jobs;
}

/** The data of a job; undefined for one that is gone, is too long, or that a formatter replaces. */
async function dataOf(board: Board, queueName: string, { id }: LastJob): Promise<unknown> {
  const job = await queries
    .fetchQuery({ ...jobDetail(board, queueName, id), meta: {} })
    .catch(() => undefined);
  // Behind a formatter the types of what is stored are not known.
  return job?.isReplaced ? undefined : valueOf(job?.data);
}

const lastJobs = (board: Board, queueName: string, withData: boolean) =>
  queryOptions({
    queryKey: [board.basePath, 'last jobs', queueName, withData],
    queryFn: async () =>
      Promise.all(
        (await listed(board, queueName)).map(async (job) => ({
          name: job.name ?? '',
          data: (withData && (await dataOf(board, queueName, job))) || null,
        })),
      ),
    staleTime: 60_000,
  });

/** The value of a JSON text; undefined for none, or one that is too long. */
function valueOf(text: string | undefined): unknown {
  if (text === undefined || text.length > longest) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param name the name of the jobs whose shape is asked for; where none has it, that of all
 * @param own data of which every member counts
 */
export function useKnownData(
  { board, queueName }: QueuePlace,
  name: string,
  own: string | undefined,
): {
  readonly schema: Schema | undefined;
  /** Whether it is the schema of the queue, and not a shape. */
  readonly isDescribed: boolean;
  readonly names: readonly string[];
} {
  const { info } = useQueueInfo(board, queueName);
  const mayRead = useAllowed(board, queueName, info?.allowed)('job.read');
  const asked = useQuery(dataSchema(board, queueName));
  const described = asked.data as Schema | undefined;
  const isDescribed = described !== undefined && Object.keys(described).length > 0;
  const { data: jobs } = useQuery({
    ...lastJobs(board, queueName, !isDescribed),
    enabled: info !== undefined && mayRead && (board.engine === 'pgq' || !asked.isPending),
  });
  return useMemo(() => {
    const named = jobs?.filter((job) => job.name === name) ?? [];
    const alike = named.length > 0 ? named : (jobs ?? []);
    const values = alike.map(({ data }) => data);
    return {
      schema: isDescribed ? described : shapeOf(values, valueOf(own)),
      isDescribed,
      names: [...new Set((jobs ?? []).map((job) => job.name).filter(Boolean))],
    };
  }, [described, isDescribed, jobs, name, own]);
}
