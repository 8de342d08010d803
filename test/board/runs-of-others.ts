/** Runs of a queue that is hidden from the sender, and runs of an action that the sender may not do. */

import { expect } from 'vitest';
import type { Permissions } from '../../src/board/core/index.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Asked {
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body?: object): Promise<Answer>;
}

/** The id of no job. */
const nobody = '00000000-0000-4000-8000-000000000000';

const codeOf = ({ status, body }: Answer): string => `${status} ${String(Object(body).code)}`;

/** Asks for a run of one queue as senders with fewer permissions there than on the other. */
export async function expectGuardedRuns(
  board: Asked,
  grant: (may: Permissions) => void,
  queueName: string,
  other: string,
): Promise<void> {
  // It changes nothing, and has ended when the answer comes.
  const count = (name: string) =>
    board.send('POST', '/api/bulk', {
      queueName: name,
      action: 'remove',
      ids: [nobody],
      dryRun: true,
    });
  grant({ allowed: ['*'] });
  const started = await count(queueName);
  expect(started).toMatchObject({ status: 200, body: { run: { queueName, dryRun: true } } });
  const { id } = (started.body as { run: { id: string } }).run;
  const listed = async (): Promise<string[]> => {
    const { body } = await board.get('/api/bulk');
    return (body as { runs: { id: string }[] }).runs.map((run) => run.id);
  };
  const cancel = () => board.send('POST', `/api/bulk/${id}/cancel`);
  const undo = () => board.send('POST', `/api/bulk/${id}/undo`);
  expect(await listed()).toContain(id);

  grant({ allowed: ['*'], queues: { [queueName]: [] } });
  expect(await listed()).not.toContain(id);
  expect(codeOf(await board.get(`/api/bulk/${id}`))).toBe('404 BULK_NOT_FOUND');
  expect(codeOf(await cancel())).toBe('404 BULK_NOT_FOUND');
  expect(codeOf(await undo())).toBe('404 BULK_NOT_FOUND');

  // Runs of a queue are seen by those who see the queue, and are for those who may do their action there.
  grant({ allowed: ['*'], queues: { [queueName]: ['*.read', 'jobs.retry'] } });
  expect(await listed()).toContain(id);
  expect((await board.get(`/api/bulk/${id}`)).status).toBe(200);
  expect(codeOf(await cancel())).toBe('403 ACTION_NOT_ALLOWED');
  expect(codeOf(await undo())).toBe('403 ACTION_NOT_ALLOWED');
  expect(codeOf(await count(queueName))).toBe('403 ACTION_NOT_ALLOWED');
  expect((await count(other)).status).toBe(200);

  grant({ allowed: ['*.read'], queues: { [queueName]: ['*.read', 'jobs.remove'] } });
  expect((await cancel()).status).toBe(200);
  // It has changed nothing.
  expect(codeOf(await undo())).toBe('409 BULK_NOT_UNDOABLE');
  expect((await count(queueName)).status).toBe(200);
  expect(codeOf(await count(other))).toBe('403 ACTION_NOT_ALLOWED');
}
