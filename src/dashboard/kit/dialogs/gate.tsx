/** A button that names the part that is missing, and is disabled until it is there. */

import { useId } from 'react';
import type { ComponentProps } from 'react';

import { Button } from '../button.tsx';
import style from './form.module.css';

export function Gate({
  missing,
  ...rest
}: ComponentProps<typeof Button> & {
  /** The text that names the missing part; undefined where nothing is missing. */
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
