/** Parses a job from its Redis hash. BullMQ and Bull use the same fields; BullMQ abbreviates some option names. */

import { isRecord } from '../../../lib/index.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { StoredTexts } from '../model/store.ts';

/** Option names that BullMQ abbreviates. */
const optionNames = new Map([
  ['de', 'deduplication'],
  ['fpof', 'failParentOnFailure'],
  ['cpof', 'continueParentOnFailure'],
  ['idof', 'ignoreDependencyOnFailure'],
  ['kl', 'keepLogs'],
  ['rdof', 'removeDependencyOnFailure'],
]);

/** Parsed JSON, or the text itself where a library stored plain text. */
function parse(text: string | undefined, absent: unknown): unknown {
  if (text === undefined) return absent;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function options(text: string | undefined): Record<string, unknown> {
  const stored = parse(text, {});
  if (!isRecord(stored)) return {};
  // No prototype: job producers choose the names.
  const known: [name: string, value: unknown][] = [];
  const telemetry: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (name === 'tm') telemetry['metadata'] = value;
    else if (name === 'omc') telemetry['omitContext'] = value;
    else known.push([optionNames.get(name) ?? name, value]);
  }
  if (Object.keys(telemetry).length > 0) known.push(['telemetry', telemetry]);
  return Object.fromEntries(known);
}

function whole(text: string | undefined): number {
  return Number(text) || 0;
}

function moment(text: string | undefined): number | null {
  return whole(text) || null;
}

/** Stored plain text. It is not parsed, because an error message may look like JSON. */
function plain(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function traces(text: string | undefined): string[] {
  const stored = parse(text, []);
  if (Array.isArray(stored)) return stored.filter((line) => typeof line === 'string');
  return typeof stored === 'string' ? [stored] : [];
}

/** The JSON text of a field; some libraries store plain text. */
function jsonText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return parse(text, null) === text ? JSON.stringify(text) : text;
}

/** The parts of a job as stored. */
export function textsOfHash(fields: ReadonlyMap<string, string>): StoredTexts {
  const parts = [
    ['data', 'data'],
    ['opts', 'opts'],
    ['progress', 'progress'],
    ['returnValue', 'returnvalue'],
  ].flatMap(([part = '', field = '']) => {
    const text = jsonText(fields.get(field));
    return text === undefined ? [] : [[part, text] as const];
  });
  return Object.fromEntries(parts);
}

/** Field-value pairs of a hash in a Redis reply. */
export function hashFields(pairs: unknown): Map<string, string> {
  const fields = new Map<string, string>();
  if (!Array.isArray(pairs)) return fields;
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    fields.set(String(pairs[index]), String(pairs[index + 1]));
  }
  return fields;
}

/** The set of delayed jobs is ordered by the due time, and within a millisecond by 4,096 places. */
const timesPerMillisecond = 0x1000;

/** The record of a job; `null` when its hash does not exist. */
export function jobFromHash(id: string, fields: ReadonlyMap<string, string>): JobRecord | null {
  if (fields.size === 0) return null;
  const opts = options(fields.get('opts'));
  const truncated = fields.get('sluice:truncated');
  const made = fields.get('attemptsMade') ?? fields.get('atm');
  const due = whole(fields.get('sluice:due'));
  return {
    id,
    name: fields.get('name') ?? '',
    data: parse(fields.get('data'), {}),
    opts,
    progress: parse(fields.get('progress'), 0) ?? 0,
    delay: whole(fields.get('delay')),
    priority: whole(fields.get('priority') ?? String(opts['priority'] ?? 0)),
    timestamp: whole(fields.get('timestamp')),
    attemptsMade: whole(made),
    attemptsStarted: whole(fields.get('ats')),
    stalledCounter: whole(fields.get('stc')),
    processedOn: moment(fields.get('processedOn')),
    processedBy: plain(fields.get('pb')),
    finishedOn: moment(fields.get('finishedOn')),
    failedReason: plain(fields.get('failedReason')),
    stacktrace: traces(fields.get('stacktrace')),
    returnvalue: parse(fields.get('returnvalue'), null),
    deduplicationId: plain(fields.get('deid')),
    deferredFailure: plain(fields.get('defa')),
    parentKey: plain(fields.get('parentKey')),
    repeatJobKey: plain(fields.get('rjk')),
    ...(truncated !== undefined && { truncated: truncated.split(',') }),
    ...(fields.has('sluice:orphaned') && { isOrphaned: true }),
    ...(due > 0 && { runsAt: Math.floor(due / timesPerMillisecond) }),
  };
}
