// Answers the requests of the dashboard from a record of a board, as if it were still the moment of the record. It stands
// before the scripts of the page; `recordedAt` is put in front of it.
{
  const { basePath } = JSON.parse(document.getElementById('config').textContent);
  const overNetwork = globalThis.fetch;
  const recorded = overNetwork(`${basePath}/record.json`).then((response) => response.json());

  const behind = recordedAt - Date.now();
  globalThis.Date = class extends Date {
    constructor(...parts) {
      if (parts.length > 0) super(...parts);
      else super(Date.now());
    }
    static now = (
      (now) => () =>
        now() + behind
    )(Date.now);
  };
  // Nothing happens any more.
  globalThis.EventSource = class extends EventTarget {
    close() {}
  };

  // Moments move with the clock; every other parameter must be that of the record.
  const still = (search) =>
    [...new URLSearchParams(search)]
      .filter(([, value]) => !/^\d{13}$/.test(value))
      .map((pair) => pair.join('='))
      .sort()
      .join('&');
  const lasting = recorded.then(
    (answers) =>
      new Map(
        Object.entries(answers).map(([address, answer]) => {
          const { pathname, search } = new URL(address, location.origin);
          return [`${pathname}?${still(search)}`, answer];
        }),
      ),
  );

  globalThis.fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(input, location.href);
    const path = pathname.slice(basePath.length);
    if (!path.startsWith('/api/')) return overNetwork(input, init);
    if ((init.method ?? 'GET') !== 'GET') {
      return Response.json({ error: { key: 'READ_ONLY' } }, { status: 405 });
    }
    const answer =
      (await recorded)[path + search] ?? (await lasting).get(`${path}?${still(search)}`);
    if (answer !== undefined) return Response.json(answer);
    console.warn(`Not recorded: ${path}${search}`);
    return Response.json({ error: { key: 'NOT_RECORDED' } }, { status: 404 });
  };
}
