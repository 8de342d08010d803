/** Shows the progress of loading: one redrawn line on a terminal, a few lines elsewhere. */

/** Counts loaded rows. */
export interface Progress {
  add(rows: number): void;
  /** Ends the line. */
  done(): void;
}

const barWidth = 24;

/** Shows the progress of `total` rows on `stream`. */
export function showProgress(label: string, total: number, stream: NodeJS.WriteStream): Progress {
  const started = performance.now();
  const step = stream.isTTY ? 1 / 200 : 1 / 4;
  let rows = 0;
  let shown = 0;
  const draw = () => {
    const share = rows / total;
    const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░');
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const line = `${label} ${bar} ${Math.floor(share * 100)} % of ${total.toLocaleString('en')} rows, ${seconds} s`;
    stream.write(stream.isTTY ? `\r${line}` : `${line}\n`);
  };
  return {
    add(more) {
      rows += more;
      if (rows / total - shown < step && rows < total) return;
      shown = rows / total;
      draw();
    },
    done() {
      if (stream.isTTY) stream.write('\n');
    },
  };
}
