/** Which routes tell a queue that is hidden from one that does not exist. */

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Asked {
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body?: object): Promise<Answer>;
}

/** Asks every route that names a queue, in its path or its body, for both names. */
export async function tellingRoutes(
  board: Asked,
  hidden: string,
  missing: string,
): Promise<string[]> {
  const { paths } = (await board.get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const telling: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.includes('{queueName}') && path !== '/api/bulk') continue;
    for (const method of Object.keys(operations)) {
      const ask = async (queueName: string): Promise<string> => {
        const filled = path
          .replace('{queueName}', queueName)
          .replace('{jobId}', '00000000-0000-4000-8000-000000000000')
          .replaceAll(/\{\w+\}/g, 'failed');
        const bulk = { queueName, action: 'retry', ids: ['00000000-0000-4000-8000-000000000000'] };
        const body = path === '/api/bulk' ? bulk : { every: 1000 };
        const { status, body: answer } =
          method === 'get'
            ? await board.get(filled)
            : await board.send(method.toUpperCase(), filled, body);
        return `${status} ${JSON.stringify(answer)}`.replaceAll(queueName, '');
      };
      const [one, other] = [await ask(hidden), await ask(missing)];
      if (one !== other) telling.push(`${method} ${path}: ${one} ${other}`);
    }
  }
  return telling;
}
