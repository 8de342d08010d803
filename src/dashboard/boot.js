/** Runs before the first paint: the person's theme and density, and the requests of the overview, while its scripts load. */
try {
  const s = JSON.parse(localStorage.getItem('sluice:settings') || '{}'),
    d = document.documentElement.dataset;
  if (s.theme === 'light' || s.theme === 'dark') d.theme = s.theme;
  if (s.density === 'dense') d.density = 'dense';
} catch {}
try {
  const { basePath: b, uiConfig: u } = JSON.parse(document.getElementById('config').textContent);
  // The page of the demo has this script as well, and no engine.
  if (u.engine && location.pathname.replace(/\/$/, '') === b) {
    const others = (u.boards || []).filter((board) => board.basePath !== b);
    globalThis.early = new Map(
      [{ basePath: b, engine: u.engine }, ...others].map((board) => {
        const path = board.engine === 'kvq' ? '/api/queues?jobs=false' : '/api/pgq/queues';
        const response = fetch(board.basePath + path, {
          headers: { accept: 'application/json' },
          credentials: 'same-origin',
          redirect: 'manual',
          cache: 'no-store',
        });
        response.catch(() => {});
        return [board.basePath + path, response];
      }),
    );
  }
} catch {}
