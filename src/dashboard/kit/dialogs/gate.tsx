/** A button that needs something first, and says what while it is missing. */

import { useId } from 'react';
import type { ComponentProps } from 'react';

import { Button } from '../button.tsx';
import style from './form.module.css';

export function Gate({
  missing,
  ...rest
}: ComponentProps<typeof Button> & {
  /** What is missing; undefined where nothing is. */
  readonly missing: string | undefined;
}) {
  const id = useId();
  const isClosed = missing !== undefined;
  return (
    <>
      {isClosed && (
        <small id={id} className={style['missing']}>
          {missing}
        </small>
      )}
      <Button {...rest} disabled={isClosed} aria-describedby={isClosed ? id : undefined} />
    </>
  );
}
