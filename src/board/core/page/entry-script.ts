/** Script of the entry page. It writes text nodes only, so that names of queues and jobs are never parsed as HTML. */

export const entryScript = String.raw`
const { basePath, uiConfig } = JSON.parse(document.getElementById('config').textContent);
const pgq = uiConfig.engine === 'pgq';
const states = pgq
  ? ['created', 'retry', 'active', 'completed', 'cancelled', 'failed']
  : ['active', 'waiting', 'waiting-children', 'prioritized', 'completed', 'failed', 'delayed', 'paused'];
const problem = document.getElementById('problem');
const queuesAt = document.getElementById('queues');
const jobsAt = document.getElementById('jobs');
let shown = { queue: undefined, state: states[0], cursor: undefined };
let turn = 0;

async function ask(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const response = await fetch(basePath + path + '?' + new URLSearchParams(given));
  const body = await response.json();
  if (!response.ok) throw new Error(body.error?.key ?? String(response.status));
  return body;
}
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
function table(caption, columns, rows) {
  const cell = (name) => (value) =>
    element(name, { className: typeof value === 'number' ? 'number' : '' }, value instanceof Node ? value : String(value ?? ''));
  return element('table', {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...columns.map(cell('th')))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell('td'))))));
}
function choose(change) {
  shown = { ...shown, cursor: undefined, ...change };
  return refresh();
}
function button(text, onclick, pressed) {
  const made = element('button', { type: 'button', onclick }, text);
  if (pressed !== undefined) made.setAttribute('aria-pressed', String(pressed));
  return made;
}

async function readQueues() {
  if (pgq) return (await ask('/api/pgq/queues')).queues;
  return (await ask('/api/queues', { activeQueue: shown.queue, status: shown.state })).queues;
}
async function readJobs(queues) {
  if (!pgq) {
    const queue = queues.find(({ name }) => name === shown.queue);
    return { jobs: queue?.jobs ?? [] };
  }
  const path = '/api/pgq/queues/' + encodeURIComponent(shown.queue) + '/jobs';
  return ask(path, { state: shown.state, cursor: shown.cursor });
}
const when = (value) => (value === undefined || value === null ? '' : new Date(value).toLocaleString());

async function refresh() {
  const mine = (turn += 1);
  try {
    const queues = await readQueues();
    const page = shown.queue === undefined ? undefined : await readJobs(queues);
    if (mine !== turn) return;
    const names = [...new Set(queues.flatMap(({ counts }) => Object.keys(counts)))];
    queuesAt.replaceChildren(table('Queues', ['Queue', ...names], queues.map(({ name, displayName, counts }) =>
      [button(displayName ?? name, () => choose({ queue: name }), name === shown.queue), ...names.map((key) => counts[key] ?? 0)])));
    jobsAt.hidden = !page;
    if (page) {
      const moves = [['Previous', page.prevCursor], ['Next', page.nextCursor]].filter(([, cursor]) => cursor);
      jobsAt.replaceChildren(
        element('nav', {}, ...states.map((state) => button(state, () => choose({ state }), state === shown.state))),
        table(shown.queue, ['Id', 'State', 'Created', 'Started', 'Finished'], page.jobs.map((job) => [
          String(job.id ?? ''), job.state ?? shown.state, when(job.createdOn ?? job.timestamp),
          when(job.startedOn ?? job.processedOn), when(job.completedOn ?? job.finishedOn)])),
        element('nav', {}, ...moves.map(([text, cursor]) => button(text, () => choose({ cursor })))));
    }
    problem.hidden = true;
  } catch (error) {
    if (mine !== turn) return;
    problem.textContent = error.message;
    problem.hidden = false;
  }
}
await refresh();
setInterval(() => document.hidden || refresh(), 5000);
`;
