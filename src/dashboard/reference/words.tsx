/** A text of the document: code in backticks, and lists of lines that begin with a dash. */

import { Fragment } from 'react';

export function Words({ text }: { readonly text: string }) {
  const parts = text.split('`');
  return parts.map((part, at) =>
    at % 2 === 1 ? <code key={at}>{part}</code> : <Fragment key={at}>{part}</Fragment>,
  );
}

export function Lines({ text }: { readonly text: string }) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isList = lines.length > 0 && lines.every((line) => line.startsWith('- '));
  if (!isList) {
    return lines.map((line) => (
      <p key={line}>
        <Words text={line} />
      </p>
    ));
  }
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <Words text={line.slice(2)} />
        </li>
      ))}
    </ul>
  );
}
