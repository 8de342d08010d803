/** JSON as it is stored, laid out and coloured, with a search in it. */

import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { ReactNode } from 'react';

import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Empty } from '../kit/panel.tsx';
import { layOut } from '../format/json.ts';
import style from './job.module.css';

/** Characters and lines that are coloured; a longer text is shown plain. */
const [colouredLimit, colouredLines] = [100_000, 2_000];
/** Lines from which only those that a search has found are shown, and the most of these. */
const [foundFrom, foundLimit] = [400, 1_000];
/** Characters that are shown before the rest is asked for. */
const shownLimit = 400_000;

function kindOf(token: string, after: string): string | undefined {
  if (token.startsWith('"')) return /^\s*:/.test(after) ? 'key' : 'text';
  if (/^-?\d/.test(token)) return 'number';
  return /^(?:true|false|null)$/.test(token) ? 'word' : undefined;
}

function coloured(line: string): ReactNode[] {
  const out: ReactNode[] = [];
  let last = 0;
  for (const match of line.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g)) {
    const [token] = match;
    const kind = kindOf(token, line.slice(match.index + token.length));
    if (kind === undefined) continue;
    out.push(line.slice(last, match.index));
    out.push(
      <span key={match.index} data-kind={kind}>
        {token}
      </span>,
    );
    last = match.index + token.length;
  }
  out.push(line.slice(last));
  return out;
}

/** The shown part of lines of which a search has found some. */
function bodyOf(text: string, lines: readonly string[], hits: readonly number[] | undefined) {
  const colour = text.length <= colouredLimit && lines.length <= colouredLines;
  const isLong = lines.length > foundFrom;
  // A long text is not made of elements where nothing tells its lines apart.
  if (!colour && (hits === undefined || (hits.length === 0 && isLong))) return text;
  const marked = new Set(hits);
  const shown =
    hits !== undefined && hits.length > 0 && isLong ? hits.slice(0, foundLimit) : [...lines.keys()];
  return shown.map((at) => (
    <span key={at} className={style['line']} data-hit={marked.has(at) || undefined}>
      {colour ? coloured(lines[at] ?? '') : lines[at]}
      {'\n'}
    </span>
  ));
}

export const JsonView = memo(function JsonView({
  text,
  label,
  plain = false,
}: {
  readonly text: string | undefined;
  readonly label: string;
  readonly plain?: boolean;
}) {
  const [search, setSearch] = useState('');
  const [whole, showWhole] = useState(false);
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const laidOut = useMemo(() => (text === undefined ? '' : layOut(text)), [text]);
  const shown = whole ? laidOut : laidOut.slice(0, shownLimit);
  const lines = useMemo(() => shown.split('\n'), [shown]);
  const hits = useMemo(
    () =>
      wanted === ''
        ? undefined
        : lines.flatMap((line, at) => (line.toLowerCase().includes(wanted) ? [at] : [])),
    [lines, wanted],
  );
  const body = useMemo(() => bodyOf(shown, lines, hits), [shown, lines, hits]);
  if (text === undefined) return <Empty title={t('json.none')} />;
  if (plain)
    return (
      <pre className={style['json']} tabIndex={0} aria-label={label}>
        {body}
      </pre>
    );
  return (
    <div className={style['view']}>
      <div className={style['view-bar']}>
        <input
          type="search"
          value={search}
          placeholder={t('json.search')}
          aria-label={t('json.search')}
          onChange={({ target }) => setSearch(target.value)}
        />
        <span role="status">{hits && t('json.hits', { count: hits.length })}</span>
        <Button look="quiet" icon="copy" onClick={() => void copyText(laidOut, label)}>
          {t('copy')}
        </Button>
      </div>
      <pre className={style['json']} tabIndex={0} aria-label={label}>
        {body}
      </pre>
      {shown.length < laidOut.length && (
        <Button onClick={() => showWhole(true)}>
          {t('json.rest', { count: exact(laidOut.length - shown.length) })}
        </Button>
      )}
    </div>
  );
});
