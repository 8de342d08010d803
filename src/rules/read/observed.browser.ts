/** Stands for the observation of reads in the build for browsers, where sources have no database. */

/** Runs a read. */
export const observed = <Options, Answer>(
  _operation: string,
  _source: unknown,
  options: Options,
  read: (options: Options) => Promise<Answer>,
): Promise<Answer> => read(options);
