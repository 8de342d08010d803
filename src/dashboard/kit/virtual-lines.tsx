/**
 * The body of a long table: only the lines in sight, and some around them, are in the document, and the line that has the
 * focus, which would lose it otherwise, with its neighbours.
 */

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

/** Lines around those in sight, so that keys find the next one. */
const around = 6;

export function VirtualLines({
  count,
  height,
  line,
}: {
  readonly count: number;
  readonly height: number;
  /** The row at an index, with its key. */
  readonly line: (index: number) => ReactNode;
}) {
  const at = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const top = at.current?.getBoundingClientRect().top ?? 0;
      setMargin(Math.round(top + scrollY));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [height]);
  const rangeExtractor = (range: Range): number[] => {
    const shown = defaultRangeExtractor(range);
    const active = document.activeElement;
    const row = at.current?.contains(active) ? active?.closest('tr')?.ariaRowIndex : undefined;
    if (row === undefined || row === null) return shown;
    // The first row of a table is its head.
    const focused = Number(row) - 2;
    const kept = [focused - 1, focused, focused + 1].filter((index) => index >= 0 && index < count);
    return [...new Set([...shown, ...kept])].toSorted((left, right) => left - right);
  };
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: around,
    scrollMargin: margin,
    rangeExtractor,
  });
  const items = virtual.getVirtualItems();
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return (
    <tbody ref={at}>
      {items.flatMap(({ index, start }, place) => {
        const before = start - (items[place - 1]?.end ?? margin);
        const gap = <tr key={`before ${place}`} aria-hidden="true" style={{ height: before }} />;
        return before > 0 ? [gap, line(index)] : [line(index)];
      })}
      {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
    </tbody>
  );
}
