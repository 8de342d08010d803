/** The body of a long table: only the lines in sight, and some around them, are in the document. */

import { useWindowVirtualizer } from '@tanstack/react-virtual';
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
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: around,
    scrollMargin: margin,
  });
  const items = virtual.getVirtualItems();
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return (
    <tbody ref={at}>
      {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
      {items.map(({ index }) => line(index))}
      {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
    </tbody>
  );
}
